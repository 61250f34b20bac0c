import { explain } from '../command.ts';
import { buildConsole } from '../console/build-console.ts';
import { root } from '../project.ts';
import { watchSources } from './watch.ts';

/** Names of the console's sources, and of folders. */
const sourceName = /^[^.]*$|\.(vue|ts|css|json|svg|html)$/;

export type ConsoleFollower = ReturnType<typeof followConsole>;

/**
 * Builds the console now and after each change, one build at a time. A failed build prints the reason, and the last
 * console stays.
 *
 * @param url of the console, to be printed
 * @param use loads the new files into the running server
 */
export function followConsole(url: string, use: () => void) {
  let work = Promise.resolve();
  let hasEnded = false;
  const update = async () => {
    if (hasEnded) return;
    try {
      const isNew = await buildConsole(() => console.log('Console: building…'));
      if (hasEnded || !isNew) return;
      use();
      console.log(`Console: ${url}`);
    } catch (error) {
      if (!hasEnded) console.error(`Console: ${explain(error)}`);
    }
  };
  /** Builds again if the sources have changed; a generated one changes without notice. */
  const check = () => {
    work = work.then(update);
  };
  const folders = ['console', 'modules'];
  const end = watchSources(
    root,
    folders,
    (settled) => {
      settled.then((isChanged) => isChanged && check());
    },
    sourceName,
  );
  check();
  return {
    check,
    end(): void {
      hasEnded = true;
      end();
    },
  };
}
