import { timingSafeEqual } from 'node:crypto';

/** Compares two strings in a time that depends on their lengths only. */
export function isEqual(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
