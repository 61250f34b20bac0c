import { afterEach, expect } from '@jest/globals';
import { discover } from '#functions/discover/discover.ts';
import { DiscoveryError } from '#functions/model.ts';
import { createProject, moduleSource } from '../fixtures.ts';

/** Source by path. A listed module has a manifest of its name, unless its path is given: undefined leaves it out. */
type Files = Record<string, string | undefined>;

let project: ReturnType<typeof createProject> | undefined;
afterEach(() => {
  project?.remove();
  project = undefined;
});

/** The folder of the project that was discovered last. */
export const findRoot = (): string => String(project?.root);

/** Discovers the modules of a project with these files, which goes after the test. */
export function find(files: Files, listed: readonly string[] = ['Shop'], enabled = true) {
  const manifests = listed.map((name) => [`modules/${name}/module.ts`, moduleSource(name)]);
  const given = Object.entries({ ...Object.fromEntries(manifests), ...files });
  project = createProject({
    'modules/modules.json': JSON.stringify(Object.fromEntries(listed.map((name) => [name, { enabled }]))),
    ...Object.fromEntries(given.filter(([, text]) => text !== undefined)),
  });
  return discover(project.root, (file) => import(file));
}

/** What discovery reports of a project with these files. */
export async function problemsOf(files: Files, listed?: readonly string[]): Promise<readonly string[]> {
  const error: unknown = await find(files, listed).catch((thrown) => thrown);
  if (!(error instanceof DiscoveryError)) throw new Error('discovery found nothing wrong', { cause: error });
  expect(error.message).toBe(error.problems.join('\n'));
  return error.problems;
}
