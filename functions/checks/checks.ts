import { posix } from 'node:path';
import { isCovered } from '#shared/auth/permission.ts';
import { locales } from '#shared/i18n/locale.ts';
import { findScheduleFault } from '#shared/jobs/due-times.ts';
import {
  isCacheListener,
  type Job,
  type ModuleManifest,
  type StreamListener,
} from '#shared/module/module.ts';
import type { LocalisedText } from '#shared/schema/component.ts';
import { isSchema } from '#shared/schema/definition.ts';
import { createPermissionTable, toolFolder } from '../discover/permissions.ts';
import {
  type FoundModule,
  type FoundRoute,
  listPaths,
  listSharedFunctions,
  type Manifest,
} from '../model.ts';
import { functionNameLimit } from '../names.ts';
import { findDuplicates, listFaults } from '../scope.ts';
import { aggregateStack, coreStack } from '../stacks/stack.ts';
import { checkSeeds } from './check-seeds.ts';

export const checkFunctionName = (name: string): string[] =>
  listFaults({
    [`its function would be named ${name}, ${name.length} characters of at most ${functionNameLimit}: shorten the path`]:
      name.length > functionNameLimit,
  });

export function checkJob(job: Job, functionName: string): string[] {
  if (typeof job.run !== 'function') return ['exports no job: export default defineJob({ … })'];
  return [...checkPlainName(functionName, 'Jobs/'), ...[findScheduleFault(job) ?? []].flat()];
}

export function checkListener(listener: StreamListener, functionName: string): string[] {
  const { handle, prefixes, maxAgeSeconds: age } = listener;
  const none = 'exports no listener: export default defineStreamListener({ … })';
  if (typeof handle !== 'function') return [none];
  if (isCacheListener(listener)) return checkPlainName(functionName, 'Stream/');
  const hasPrefixes = Array.isArray(prefixes) && prefixes.length > 0 && !prefixes.includes('');
  return [
    ...checkPlainName(functionName, 'Stream/'),
    ...listFaults({
      'its prefixes are missing or empty: list the prefixes of its keys': !hasPrefixes,
      [`its maxAgeSeconds is ${age}: write a whole number from 60 to 604800`]:
        !Number.isInteger(age) || age < 60 || age > 604_800,
    }),
  ];
}

const checkPlainName = (functionName: string, folder: string): string[] => [
  ...checkFunctionName(functionName),
  ...listFaults({
    [`is not named in kebab-case, directly in ${folder}: rename it`]: !/^[a-z0-9-]+$/.test(functionName),
  }),
];

/** Problems between routes: two of the same method and path, or two functions of the same name. */
export const checkRoutes = (routes: FoundRoute[]): string[] => [
  ...findDuplicates(
    routes.flatMap((found) =>
      listPaths(found).map((path) => ({ name: `${found.route.method} ${path}`, file: found.file })),
    ),
  ),
  ...findDuplicates([
    ...routes.map(({ functionName, file }) => ({ name: `function ${functionName}`, file })),
    ...listSharedFunctions(routes).map(({ name, routes: [first] }) => ({
      name: `function ${name}`,
      file: posix.dirname(String(first?.file)),
    })),
  ]),
];

/** A text needs every locale. @param form of the text, for the message */
export const checkTexts = (name: string, form: string, text: Partial<LocalisedText> | undefined): string[] =>
  locales
    .filter((locale) => typeof text?.[locale] !== 'string')
    .map((locale) => `its ${name} has no ${locale}: write ${form} in each of ${locales.join(', ')}`);

export function checkManifest(manifest: ModuleManifest): string[] {
  const { title, functions, requires, configs, dictionaries, adminFolders = {}, roles = {} } = manifest;
  const granted = Object.entries(roles).map(([name, grants]) => [`roles.${name}`, grants]);
  const lists = Object.entries({ requires, configs, dictionaries, ...Object.fromEntries(granted) });
  return [
    ...checkTexts('title', 'one', title),
    ...listFaults({
      [`its functions is "${functions}": write 'folder', or leave it out`]: ![
        'route',
        'folder',
        undefined,
      ].includes(functions),
    }),
    ...lists
      .filter(([name, value]) => (value !== undefined || name.startsWith('roles.')) && !Array.isArray(value))
      .map(([name]) => `its ${name} is not a list: write ${name}: [ … ]`),
    ...lists
      .filter(([name]) => name === 'requires' || name.startsWith('roles.'))
      .filter(([, value]) => Array.isArray(value) && !value.every((each) => typeof each === 'string'))
      .map(([name]) => `its ${name} has something else than texts: write ${name}: ['…']`),
    ...listFaults({
      'its configs has something else than groups: write configs: [defineConfigGroup({ … })]':
        Array.isArray(configs) && !configs.every(isConfigGroup),
    }),
    ...Object.entries(adminFolders)
      .filter(([, folder]) => !['string', 'undefined'].includes(typeof folder?.records))
      .map(([name]) => `its records of the folder "${name}" is not a text: write records: 'order'`),
    ...Object.entries(adminFolders).flatMap(([name, text]) =>
      checkTexts(`adminFolders["${name}"]`, 'one', text),
    ),
    ...(Array.isArray(configs) ? configs : []).flatMap((group) => checkGroupTitle(group)),
    ...(Array.isArray(dictionaries) ? checkSeeds(dictionaries) : []),
  ];
}

const isConfigGroup = (group: unknown): boolean => {
  const { name, keys } = Object(group);
  const isObject = typeof keys === 'object' && keys !== null && !Array.isArray(keys);
  return typeof name === 'string' && isObject && Object.values(keys).every(isSetting);
};

const isSetting = (key: unknown): boolean => {
  const { schema, description } = Object(key);
  return isSchema(schema) && checkTexts('description', 'one', description).length === 0;
};

/** A group without a title has its name as one. */
const checkGroupTitle = (group: unknown): string[] => {
  const { name, title } = Object(group);
  return title === undefined ? [] : checkTexts(`configs: the title of ${name}`, 'one', title);
};

/** The grants in manifests that give nothing, or something of another module. */
export function checkGrants(found: Pick<Manifest, 'modules' | 'routes' | 'tools'>): string[] {
  return found.modules.flatMap(({ manifest: { roles = {} }, home, prefix }) => {
    const isOwn = ({ file }: { file: string }) => file.startsWith(`${home}/`);
    const [routes, tools] = [found.routes.filter(isOwn), found.tools.filter(isOwn)];
    const { permissions } = createPermissionTable({ modules: [], routes, tools });
    return Object.entries(roles).flatMap(([role, grants]) =>
      grants
        .filter((grant) => !permissions.some((permission) => isCovered([grant], permission)))
        .map(
          (grant) =>
            `${home}/module.ts: its role ${role} has "${grant}", which covers no route or tool of the module: write ${prefix}:read, for example`,
        ),
    );
  });
}

/** Prefixes that no module may take: names of stacks, and the folder of the permissions of tools. */
export const reservedPrefixes: ReadonlySet<string> = new Set([coreStack, aggregateStack, toolFolder]);

/** Problems between modules: reserved or duplicate prefixes, and requirements that are not enabled. */
export function checkModules(modules: FoundModule[]): string[] {
  const names = modules.map(({ manifest }) => manifest.name);
  const prefixes = modules.map(({ prefix }) => prefix);
  return modules.flatMap(({ manifest: { requires = [] }, home, prefix }, index) => [
    ...listFaults({
      [`${home}: a stack, or the permissions of tools, have this name already: rename it`]:
        reservedPrefixes.has(prefix),
      [`${home}: another module's prefix is ${prefix} too: rename one of them`]:
        prefixes.indexOf(prefix) < index,
    }),
    ...requires
      .filter((required) => !names.includes(required))
      .map((required) => `${home}/module.ts requires ${required}: enable it first`),
  ]);
}
