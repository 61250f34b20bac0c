import type { LoadClient } from './client.ts';
import { addAnswer, createTally, type Tally } from './tally.ts';
import type { Kind, Visitor } from './traffic.ts';

/** The kinds, each as often as its weight says, evenly mixed. */
export function mixKinds(kinds: readonly Kind[]): Kind[] {
  const slots = kinds.flatMap((kind) =>
    Array.from({ length: kind.weight }, (_, index) => ({ kind, at: (index + 0.5) / kind.weight })),
  );
  return slots.sort((a, b) => a.at - b.at).map(({ kind }) => kind);
}

/**
 * Has every visitor ask one thing after another until the time is over.
 *
 * @returns what became of the requests, by kind
 */
export async function drive(
  client: LoadClient,
  kinds: readonly Kind[],
  visitors: readonly Visitor[],
  seconds: number,
): Promise<Map<string, Tally>> {
  const tallies = new Map(kinds.map(({ name }) => [name, createTally()]));
  const mix = mixKinds(kinds);
  const endsAt = performance.now() + seconds * 1000;
  await Promise.all(
    visitors.map(async (visitor, index) => {
      // Each begins elsewhere in the mix, so that they do not all ask the same at once.
      let at = Math.floor((index * mix.length) / visitors.length);
      for (; performance.now() < endsAt; at += 1) {
        const kind = mix[at % mix.length];
        const tally = kind && tallies.get(kind.name);
        if (tally) await askOnce(client, kind, visitor, tally);
      }
    }),
  );
  return tallies;
}

async function askOnce({ ask }: LoadClient, kind: Kind, visitor: Visitor, tally: Tally): Promise<void> {
  const startedAt = performance.now();
  try {
    const answer = await ask(kind.create(visitor));
    const fault = kind.findFault(answer);
    addAnswer(tally, performance.now() - startedAt, fault);
    if (!fault) kind.learn?.(visitor, answer);
  } catch (error) {
    const reason = error instanceof Error ? (Object(error).code ?? error.message) : 'unknown';
    addAnswer(tally, performance.now() - startedAt, `connection ${reason}`);
  }
}
