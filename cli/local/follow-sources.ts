import { root } from '../project.ts';
import type { Gateway } from './gateway/gateway.ts';
import { regenerate } from './regenerate.ts';
import { watchSources } from './watch.ts';

/**
 * Brings every change of the sources into the running gateway; a broken one is told and changes nothing.
 *
 * @param serving settles when the gateway has started
 * @param known the functions that the gateway starts with
 * @returns ends it
 */
export function followSources(gateway: Gateway, serving: Promise<void>, known: string): () => void {
  let functions = known;
  let work: Promise<unknown> = serving;
  const follow = async () => {
    try {
      await serving;
      const found = await regenerate();
      const isSame = found === functions;
      // After a start that failed nothing counts as known, so that the next change tries again.
      functions = '';
      if (isSame) gateway.reload();
      else await gateway.restart(found);
      functions = found;
      console.log(isSame ? 'Reloaded.' : 'Restarted: the routes have changed.');
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
    }
  };
  return watchSources(root, ['modules', 'shared'], () => {
    work = work.then(follow, follow);
  });
}
