import type { FieldKind } from '../kind.ts';
import { any } from './any.ts';

/** An object whose keys the schema does not name. */
export const record: FieldKind = any;
