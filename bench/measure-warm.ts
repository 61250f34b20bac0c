import { receive, startChild } from './child.ts';
import { type Summary, summarize } from './statistics.ts';
import type { Subject } from './subject.ts';

export interface WarmResult {
  /** How long one invocation takes, in milliseconds. */
  durationMs: Record<'empty' | 'bare' | 'ours', Summary>;
  /** Ours over bare. */
  ratios: { p50: number; p99: number };
}

const blockSize = 100;

/**
 * Measures sequential invocations in one process, in alternating blocks.
 *
 * @param count invocations of each
 */
export async function measureWarm(
  { empty, bare, ours, invocationFile }: Subject,
  environment: Record<string, string>,
  count: number,
): Promise<WarmResult> {
  const bundles = [empty.url, bare.url, ours.url];
  const order = JSON.stringify({ bundles, invocationFile, blocks: Math.ceil(count / blockSize), blockSize });
  const child = startChild({ script: 'warm', args: [order], environment });
  const [emptyMs = [], bareMs = [], oursMs = []] = await receive<number[][]>(child);
  const durationMs = { empty: summarize(emptyMs), bare: summarize(bareMs), ours: summarize(oursMs) };
  return {
    durationMs,
    ratios: {
      p50: durationMs.ours.median / durationMs.bare.median,
      p99: durationMs.ours.p99 / durationMs.bare.p99,
    },
  };
}
