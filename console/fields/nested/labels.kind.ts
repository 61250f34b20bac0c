import type { FieldKind } from '../kind.ts';
import record from './record.kind.ts';

/** Names of what a record refers to. Its other fields show them; pages leave the field itself out. */
const kind: FieldKind = record;

export default kind;
