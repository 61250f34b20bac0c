import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '#cli/project.ts';
import { listPackages, listSources } from '#functions/bundle/keep-chunks-apart.ts';
import { discover } from '#functions/discover/discover.ts';
import type { Manifest } from '#functions/model.ts';
import { createFunctionMap, type FunctionDefinition } from '#functions/stacks/function-map.ts';
import { findRole, type Statement } from '#functions/stacks/roles.ts';
import { wholeStack } from '#functions/stacks/stack.ts';
import { listWriteRights } from '#functions/stacks/written-keys.ts';
import { bundleOptions } from '../../esbuild.config.ts';

const bundlesAtOnce = 4;
const target = { stage: 'dev', stack: wholeStack };

/** Statements of the roles that a deployment gives to functions, by their names. Bundles every function. */
export async function listFunctionStatements(manifest: Manifest): Promise<Map<string, Statement[]>> {
  const bundle = async ([name, definition]: [string, FunctionDefinition]): Promise<[string, Statement[]]> => {
    const { metafile } = await build({
      ...bundleOptions,
      absWorkingDir: root,
      entryPoints: { index: join(root, '.build', 'entries', `${name}.mjs`) },
      outdir: join(root, '.build', 'roles'),
      sourcemap: false,
      write: false,
    });
    const packages = listPackages(Object.keys(metafile.inputs));
    const rights = await listWriteRights(root, listSources(metafile), (file) => import(file));
    const { auditsLog } = manifest.jobs.find(({ functionName }) => functionName === name)?.job ?? {};
    const { resources } = findRole({ ...definition, auditsLog }, target, { packages, rights });
    return [name, Object.values(resources).flatMap(listStatements)];
  };
  const waiting = Object.entries(createFunctionMap(manifest, target.stage));
  const found = new Map<string, Statement[]>();
  while (waiting.length > 0) {
    for (const [name, statements] of await Promise.all(waiting.splice(0, bundlesAtOnce).map(bundle))) {
      found.set(name, statements);
    }
  }
  return found;
}

type Role = ReturnType<typeof findRole>['resources'][string];
const listStatements = ({ Properties }: Role): Statement[] =>
  Properties.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);

/** The same for all functions of this project; bundles them once in a test run. */
export async function readRoles(): Promise<Map<string, Statement[]>> {
  const file = join(process.env.TEST_TMP ?? tmpdir(), 'roles.json');
  if (existsSync(file)) return new Map(JSON.parse(readFileSync(file, 'utf8')));
  const roles = await listFunctionStatements(await discover(root, (each) => import(each)));
  // Another worker may do the same.
  const own = `${file}.${process.pid}`;
  writeFileSync(own, JSON.stringify([...roles]));
  renameSync(own, file);
  return roles;
}
