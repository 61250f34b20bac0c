import * as z from 'zod/mini';
import type { commands } from '#shared/cache/protocol.ts';

/** A command of Redis that the service sends, in lower case. */
export type CommandName = (typeof commands)[number];

/** The value of a client library, or the message of Redis. */
export type Outcome = { result: unknown } | { error: string };

export interface RedisStore {
  /** @throws Error if Redis cannot be reached */
  run(name: CommandName, args: string[]): Promise<Outcome>;
  close(): Promise<void>;
}

const command = z.array(z.union([z.string(), z.number(), z.boolean()])).check(z.minLength(1));
const pipeline = z.array(command).check(z.minLength(1));

/** Reads the commands of a JSON body: one at `/`, a list at `/pipeline`. @returns undefined for another body */
export function parseCommands(path: string, body: string): string[][] | undefined {
  try {
    const rows = JSON.parse(body);
    return z.parse(pipeline, path === '/' ? [rows] : rows).map((row) => row.map(String));
  } catch {
    return undefined;
  }
}

/** Renders an answer. @param isBase64 encodes strings, for `Upstash-Encoding: base64`; clients expect a plain `OK` */
export function renderOutcome(outcome: Outcome, isBase64: boolean): Outcome {
  if ('error' in outcome || outcome.result === 'OK') return outcome;
  return { result: render(outcome.result, isBase64) };
}

/** Values that Redis cannot answer become null. */
function render(value: unknown, isBase64: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => render(item, isBase64));
  if (typeof value === 'string') return isBase64 ? Buffer.from(value).toString('base64') : value;
  return typeof value === 'number' ? value : null;
}
