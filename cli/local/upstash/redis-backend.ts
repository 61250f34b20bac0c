/** An argument of a command; a Buffer only where a request body was not JSON. */
export type RedisArgument = string | Buffer;

/** A command's name, in upper case, and its arguments. */
export interface RedisCommand {
  readonly name: string;
  readonly args: readonly RedisArgument[];
}

/** What Redis answers, errors apart. */
export type Reply = null | number | string | Buffer | readonly Reply[];

/** What became of one command. */
export type Outcome = { readonly result: Reply } | { readonly error: string };

/** Thrown for what Redis itself refuses; the message begins with Redis's own code word (`ERR`, `WRONGTYPE`). */
export class RedisError extends Error {
  override readonly name = 'RedisError';
}

/** Something that runs Redis commands. */
export interface RedisBackend {
  /** Runs commands in order; one that fails does not stop the next. */
  run(commands: readonly RedisCommand[]): Promise<Outcome[]>;
  /**
   * Runs commands with nobody else's in between.
   *
   * @throws RedisError when the transaction is discarded: a command is unknown or lacks arguments.
   */
  transact(commands: readonly RedisCommand[]): Promise<Outcome[]>;
  close(): Promise<void>;
}
