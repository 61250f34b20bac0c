import { locales } from '#shared/i18n/locale.ts';
import type { Job, ModuleManifest, StreamListener } from '#shared/module/module.ts';
import type { FoundModule, FoundRoute } from './model.ts';
import { functionNameLimit } from './names.ts';
import { findTwins } from './scope.ts';
import { aggregateStack, coreStack } from './stacks/stack.ts';

export function checkFunctionName(name: string): string[] {
  if (name.length <= functionNameLimit) return [];
  return [
    `its function would be named ${name}, ${name.length} characters of at most ${functionNameLimit}: shorten the path`,
  ];
}

/** AWS requires the singular after 1 and the plural after other numbers. */
const ratePattern = /^rate\((?:1 (?:minute|hour|day)|(?:[2-9]|[1-9]\d+) (?:minutes|hours|days))\)$/;

export function checkJob(job: Job, functionName: string): string[] {
  if (typeof job.run !== 'function') return ['exports no job: export default defineJob({ … })'];
  const faults = checkPlainName(functionName, 'Jobs/');
  if (!ratePattern.test(job.schedule)) {
    faults.push(`its schedule "${job.schedule}" is not valid: write rate(15 minutes)`);
  }
  return faults;
}

export function checkListener(listener: StreamListener, functionName: string): string[] {
  if (typeof listener.handle !== 'function') {
    return ['exports no listener: export default defineStreamListener({ … })'];
  }
  const faults = checkPlainName(functionName, 'Stream/');
  const { prefixes, maxAgeSeconds } = listener;
  if (!Array.isArray(prefixes) || prefixes.length === 0 || prefixes.includes('')) {
    faults.push('its prefixes are missing or empty: list the prefixes of its keys');
  }
  if (!Number.isInteger(maxAgeSeconds) || maxAgeSeconds < 60 || maxAgeSeconds > 604_800) {
    faults.push(`its maxAgeSeconds is ${maxAgeSeconds}: write a whole number from 60 to 604800`);
  }
  return faults;
}

function checkPlainName(functionName: string, folder: string): string[] {
  const isPlain = /^[a-z0-9-]+$/.test(functionName);
  const fault = `is not named in kebab-case, directly in ${folder}: rename it`;
  return [...checkFunctionName(functionName), ...(isPlain ? [] : [fault])];
}

/** Problems between routes: two of the same method and path, or two functions of the same name. */
export const checkRoutes = (routes: FoundRoute[]): string[] => [
  ...findTwins(routes.map(({ route, path, file }) => ({ name: `${route.method} ${path}`, file }))),
  ...findTwins(routes.map(({ functionName, file }) => ({ name: `function ${functionName}`, file }))),
];

export function checkManifest({ title, ...lists }: ModuleManifest): string[] {
  const { requires, configs, dictionaries } = lists;
  const missing = locales.filter((locale) => typeof title?.[locale] !== 'string');
  const others = Object.entries({ requires, configs, dictionaries });
  return [
    ...missing.map((locale) => `its title has no ${locale}: write one in each of ${locales.join(', ')}`),
    ...others
      .filter(([, value]) => value !== undefined && !Array.isArray(value))
      .map(([name]) => `its ${name} is not a list: write ${name}: [ … ]`),
  ];
}

/** Names of stacks that no module may take. */
export const reservedPrefixes: ReadonlySet<string> = new Set([coreStack, aggregateStack]);

/** Problems between modules: reserved or duplicate prefixes, and requirements that are not enabled. */
export function checkModules(modules: FoundModule[]): string[] {
  const names = new Set(modules.map(({ manifest }) => manifest.name));
  const twins = modules.filter(
    ({ prefix }, index) => modules.findIndex((each) => each.prefix === prefix) < index,
  );
  const taken = modules.filter(({ prefix }) => reservedPrefixes.has(prefix));
  return [
    ...taken.map(({ manifest }) => `modules/${manifest.name}: a stack has this name already: rename it`),
    ...twins.map(
      ({ manifest, prefix }) =>
        `modules/${manifest.name}: another module's prefix is ${prefix} too: rename one of them`,
    ),
    ...modules.flatMap(({ manifest }) =>
      (manifest.requires ?? [])
        .filter((required) => !names.has(required))
        .map((required) => `modules/${manifest.name}/module.ts requires ${required}: enable it first`),
    ),
  ];
}
