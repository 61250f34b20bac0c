import { hash, randomUUID } from 'node:crypto';

/** Seed of all random choices of a run: `FAULT_SEED`. @default 1 */
export const seed = (): number => Number(process.env.FAULT_SEED ?? 1);

/** Numbers from 0 up to, not including, 1: the same for the same seed. */
export function createRandom(from: number | string): () => number {
  let state = Number.parseInt(hash('sha256', String(from)).slice(0, 8), 16);
  return () => {
    // Mulberry32.
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** One of some values. */
export function pick<Value>(values: readonly Value[], random: () => number): Value {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new Error('nothing to choose from');
  return value;
}

/** Sixteen random letters. */
export const newWord = (): string =>
  Array.from(hash('sha256', randomUUID()).slice(0, 16), (sign) =>
    String.fromCharCode(97 + Number.parseInt(sign, 16)),
  ).join('');

/** A new mobile number. */
export const newMobile = (): string =>
  `13${String(Number.parseInt(hash('sha256', randomUUID()).slice(0, 12), 16) % 1e9).padStart(9, '0')}`;
