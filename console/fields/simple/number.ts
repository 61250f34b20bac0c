import type { FieldKind } from '../kind.ts';
import { numeric } from './numeric.ts';

/** A number that may have a fraction. */
export const number: FieldKind = numeric;
