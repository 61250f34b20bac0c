import type { FieldKind } from '../kind.ts';
import { numeric } from './numeric.ts';

/** A number that may have a fraction. */
const kind: FieldKind = numeric;

export default kind;
