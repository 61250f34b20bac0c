import { isDeepStrictEqual } from 'node:util';
import type { Role } from '#modules/System/roles/schema.ts';
import type { DictItem } from '#shared/dict/schema.ts';
import type { FileItem, FileRole, FileType } from './format.ts';
import type { StageGroup, StageType } from './stage.ts';

/** A field of a record; `old` is undefined for a new record, `now` for a removed one. */
export interface FieldChange {
  name: string;
  old: unknown;
  now: unknown;
}

type TypeFields = Omit<FileType, 'items'>;

/** The record as the plan has seen it, which the stage must still have, and as it shall be. */
type Payload =
  | { kind: 'type'; old: StageType | undefined; now: TypeFields | undefined }
  | { kind: 'item'; type_key: string; old: DictItem | undefined; now: FileItem | undefined }
  | { kind: 'role'; old: Role | undefined; now: FileRole | undefined }
  | { kind: 'settings'; old: StageGroup; now: Record<string, unknown> };

/** A change of one record. */
export type Change = Payload & {
  /** Its name, as `dict:colour:red`, `role:editor`, `config:basics`. */
  record: string;
  fields: FieldChange[];
};

/** Something that stays as it is, or a fault. @see Plan */
export interface Note {
  record: string;
  reason: string;
}

/** What an apply would do to a stage. */
export interface Plan {
  /** In the order of their writing. */
  changes: Change[];
  left: Note[];
  /** Each refuses the whole file. */
  faults: Note[];
}

export interface PlanOptions {
  /** Whether to remove what the file does not have. */
  prune: boolean;
  /** Values that records use, by type key. Only those that the file does not have matter. */
  used: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The fields that differ. */
export function compare(old: object | undefined, now: object | undefined): FieldChange[] {
  const names = new Set(Object.keys({ ...now, ...old }));
  return [...names]
    .map((name) => ({ name, old: readField(old, name), now: readField(now, name) }))
    .filter((field) => !isDeepStrictEqual(field.old, field.now));
}

const readField = (value: object | undefined, name: string): unknown =>
  value && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;

/** What happens to a record. */
export const verbOf = ({ old, now }: Change): 'add' | 'change' | 'remove' => {
  if (old === undefined) return 'add';
  return now === undefined ? 'remove' : 'change';
};

export const notInFile = 'not in the file; --prune removes it';
