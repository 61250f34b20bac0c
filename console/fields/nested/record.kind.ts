import type { FieldKind } from '../kind.ts';
import any from './any.kind.ts';

/** An object whose keys the schema does not name. */
const kind: FieldKind = any;

export default kind;
