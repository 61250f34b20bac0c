/** Calls one command of the store in memory, by its name in lower case. */
export type CallMock = (name: string, ...args: readonly string[]) => Promise<unknown>;

/** Something that answers a command in place of the store's own function. */
export type Correction = (call: CallMock, args: readonly string[]) => Promise<unknown>;
