/** A right to write items, for the role of a function. */
export interface WrittenKeys {
  /** Partition keys of the items, as an IAM pattern: `CLAIM#ADMIN_ACCOUNT#*`. */
  keys: string;
  /** @default all of them */
  actions?: readonly WriteAction[];
  /** The only attributes of the item that a request may name, keys and conditions included. @default all */
  attributes?: readonly string[];
}

export const writeActions = ['DeleteItem', 'PutItem', 'UpdateItem'] as const;
export type WriteAction = (typeof writeActions)[number];

/**
 * Type of the export `writtenKeys` of a file: what its code writes. Functions with code of the file get the right to
 * write these items, and no others. A file without this export has the right to write the entities that it declares.
 * Only the build calls it.
 */
export type ListWrittenKeys = () => readonly (string | WrittenKeys)[];
