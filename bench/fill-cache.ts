import { receive, startChild } from './child.ts';
import type { Stack } from './stack.ts';
import type { Subject } from './subject.ts';

/** Brings what a subject reads into the cache, to stay there. */
export async function fillCache({ bundles, invocationFile }: Subject, stack: Stack): Promise<void> {
  const { environment } = stack;
  const child = startChild({ script: 'serve', args: [bundles.ours.url, invocationFile], environment });
  try {
    // What the first one read from the database is written to the cache in front of the second one's reads.
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
