import { timingSafeEqual } from 'node:crypto';

/** Compares two strings in constant time; only their lengths matter. */
export function isEqual(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
