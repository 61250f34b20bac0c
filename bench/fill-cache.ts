import { receive, startChild } from './child.ts';
import type { Stack } from './stack.ts';
import type { Subject } from './subject.ts';

/** Fills the cache with everything that a subject reads, without expiry. */
export async function fillCache({ bundles, invocationFile }: Subject, stack: Stack): Promise<void> {
  const { environment } = stack;
  const child = startChild({ script: 'serve', args: [bundles.ours.url, invocationFile], environment });
  try {
    // The second request writes the values to the cache that the first one read from the database.
    for (let turn = 0; turn < 2; turn++) {
      child.send('invoke');
      const { statusCode, body } = await receive<{ statusCode: number; body: string }>(child);
      if (statusCode !== 200) throw new Error(`an invocation answered ${statusCode}: ${body}`);
    }
  } finally {
    child.kill();
  }
  await stack.keepCached();
}
