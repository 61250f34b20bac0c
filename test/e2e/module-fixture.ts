import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach } from '@jest/globals';
import { folderOf } from '#cli/commands/modules/module-files.ts';
import { renderModule } from '#cli/templates/module.ts';
import { createNames } from '#cli/templates/names.ts';
import { copyProject } from '../support/project-copy.ts';
import { type CommandResult, runService } from '../support/run-service.ts';

/** State of a module in `modules/modules.json`. */
export interface State {
  installed: boolean;
  enabled: boolean;
}
export const absent: State = { installed: false, enabled: false };
export const disabled: State = { installed: true, enabled: false };
export const enabled: State = { installed: true, enabled: true };

/** Variables with the addresses of a command's stores. */
const storeNames = [
  'APP_KEY',
  'TABLE_NAME',
  'DYNAMODB_ENDPOINT',
  'UPSTASH_REDIS_REST_URL',
  'UPSTASH_REDIS_REST_TOKEN',
  'PUBLIC_URL',
];
const listFile = 'modules/modules.json';

/**
 * A copy of the project to run module commands in, restored before each test. Commands use the test file's
 * database, if it has one.
 *
 * @param more what else of the project is copied
 */
export function useWorkshop(more: readonly string[] = []) {
  const copy = copyProject(more);
  const at = (file: string) => join(copy.root, file);
  const read = (file: string) => readFileSync(at(file), 'utf8');
  const remove = (file: string) => rmSync(at(file), { recursive: true, force: true });
  const readStates = (): Record<string, State> => JSON.parse(read(listFile));
  const setState = (name: string, state: State | undefined) =>
    copy.write(listFile, JSON.stringify({ ...readStates(), [name]: state }));
  const original = read(listFile);
  const own = readdirSync(at('modules'));

  beforeEach(() => {
    copy.write(listFile, original);
    for (const entry of readdirSync(at('modules'))) if (!own.includes(entry)) remove(`modules/${entry}`);
    remove('.build');
  });

  return {
    root: copy.root,
    write: copy.write,
    read,
    remove,
    has: (file: string): boolean => existsSync(at(file)),
    /** Files in a folder and its subfolders; empty if it does not exist. */
    list: (folder: string): string[] =>
      existsSync(at(folder))
        ? readdirSync(at(folder), { recursive: true, withFileTypes: true })
            .filter((entry) => entry.isFile())
            .map((entry) => join(entry.parentPath, entry.name).slice(copy.root.length + 1))
            .sort()
        : [],
    /** Adds a generated module without a command, in a state; undefined leaves it out of the list. */
    put(name: string, state: State | undefined): void {
      const files = renderModule(createNames(name), folderOf(name));
      for (const [file, text] of files) copy.write(file, text);
      setState(name, state);
    },
    /** Adds a module that only has a manifest. @param rest further fields of the manifest */
    putManifest(name: string, state: State | undefined, rest = '', imports = ''): void {
      copy.write(`modules/${name}/module.ts`, manifestSource(name, rest, imports));
      setState(name, state);
    },
    stateOf: (name: string): State | undefined => readStates()[name],
    /** Sets the state of a module by hand; undefined removes it from the list. */
    setState,
    run(...args: string[]): Promise<CommandResult> {
      const stores = Object.fromEntries(storeNames.map((name) => [name, process.env[name]]));
      return runService(copy.root, stores, ...args);
    },
    /** Runs a command without stores. */
    runAlone: (...args: string[]): Promise<CommandResult> => runService(copy.root, {}, ...args),
  };
}

export type Workshop = ReturnType<typeof useWorkshop>;

const manifestSource = (name: string, rest: string, imports: string): string => `
  import { defineModule } from '#shared/module/module.ts';
  ${imports}
  export default defineModule({ name: '${name}', title: { zh_CN: '甲', en: 'A' }, version: '1.0.0', ${rest} });
`;

/** The functions' entries of the module Shop. */
export const shopEntries = [
  'shop-admin-kind-list.mjs',
  'shop-api-kind-detail.mjs',
  'shop-api-kind-list.mjs',
].map((file) => `.build/entries/${file}`);

/** The entries that exist. */
export const entriesOf = ({ list }: Workshop): string[] =>
  list('.build/entries').filter((file) => shopEntries.includes(file));

/** Files in `.build` that should not be there. */
export const listLeftovers = ({ list }: Workshop): string[] =>
  list('.build').filter(
    (file) =>
      !/^\.build\/(console|entries|needs|openapi)\/|^\.build\/(permissions|permission-table|tools)\.json$/.test(
        file,
      ),
  );
