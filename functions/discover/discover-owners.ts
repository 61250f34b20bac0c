import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModuleErrors } from '#shared/errors/app-error.ts';
import { errorCatalogue } from '#shared/errors/catalogue.ts';
import { type Locale, locales } from '#shared/i18n/locale.ts';
import type { Messages } from '#shared/i18n/messages.ts';
import { sharedMessages } from '#shared/i18n/shared-messages.ts';
import platformThrottles, {
  callerDimensions,
  type Dimension,
  type Throttle,
  type ThrottleRule,
} from '#shared/throttle/throttles.ts';
import type { FoundModule, Owner } from '../model.ts';
import { attempt, findDuplicates, findFaults, importDefault, listFaults, type Scope } from '../scope.ts';

/** The platform's declarations, which routes of every module may use. */
export const platform: Owner = {
  errors: errorCatalogue,
  throttles: platformThrottles,
  messages: sharedMessages,
  files: {
    errors: 'shared/errors/catalogue.ts',
    throttles: 'shared/throttle/throttles.ts',
    lang: 'shared/i18n/lang',
  },
};

/** Reads `errors.ts`, `throttles.ts` and `lang/` of a module. All are optional. */
export async function readOwner(scope: Scope, home: string): Promise<Owner> {
  const files = { errors: `${home}/errors.ts`, throttles: `${home}/throttles.ts`, lang: `${home}/lang` };
  const isThere = (file: string) => existsSync(join(scope.root, file));
  const read = async <T>(file: string) => (isThere(file) ? importDefault<T>(scope, file) : undefined);
  const errors = await read<ModuleErrors>(files.errors);
  const throttles = await read<Record<string, Throttle>>(files.throttles);
  const readLocale = async (locale: Locale): Promise<Messages> =>
    isThere(files.lang) ? readMessages(scope, `${files.lang}/${locale}.json`) : {};
  return {
    errors: { ...errors?.codes },
    throttles: { ...throttles },
    messages: { zh_CN: await readLocale('zh_CN'), en: await readLocale('en') },
    files,
  };
}

async function readMessages(scope: Scope, file: string): Promise<Messages> {
  const path = join(scope.root, file);
  if (!existsSync(path)) {
    scope.problems.push(`${file} is missing: write a text for each key of the other locales`);
    return {};
  }
  const read = await attempt(scope, `${file} cannot be read`, (): unknown =>
    JSON.parse(readFileSync(path, 'utf8')),
  );
  return Object.fromEntries(Object.entries(Object(read)).map(([key, text]) => [key, String(text)]));
}

/** The owners whose declarations a module may use: the platform, the modules that it requires, and last itself. */
export function listOwners(modules: readonly FoundModule[], name: string): Owner[] {
  const isOwn = ({ manifest }: FoundModule) => manifest.name === name;
  return [platform, ...listWithRequired(modules, name).sort((a, b) => Number(isOwn(a)) - Number(isOwn(b)))];
}

/** A module and all direct and indirect requirements, in the given order. */
export function listWithRequired(modules: readonly FoundModule[], name: string): FoundModule[] {
  const names = new Set([name]);
  // A set also visits the names that are added meanwhile.
  for (const each of names) {
    const { requires = [] } = modules.find(({ manifest }) => manifest.name === each)?.manifest ?? {};
    for (const required of requires) names.add(required);
  }
  return modules.filter(({ manifest }) => names.has(manifest.name));
}

/** Problems in the declarations of the platform and the modules; each names its file. */
export function checkOwners(owners: readonly Owner[]): string[] {
  const codes = new Set(owners.flatMap(({ errors }) => Object.keys(errors)));
  return [
    ...owners.flatMap((owner) => [
      ...checkErrors(owner),
      ...checkThrottles(owner, codes),
      ...checkMessages(owner),
    ]),
    ...findDuplicates(owners.flatMap(({ errors, files }) => quoteNames(errors, files.errors))),
    ...findDuplicates(owners.flatMap(({ throttles, files }) => quoteNames(throttles, files.throttles))),
    ...findDuplicates(owners.flatMap(({ messages, files }) => quoteNames(messages[locales[0]], files.lang))),
  ];
}

const quoteNames = (declared: object, file: string) =>
  Object.keys(declared).map((name) => ({ name: `"${name}"`, file }));

const checkErrors = ({ errors, files }: Owner): string[] =>
  Object.entries(errors).flatMap(([code, status]) =>
    listFaults({
      'is not a code: write it as shop.not_found': !/^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)?$/.test(code),
      [`has the status ${status}: use 400 to 599`]: !Number.isInteger(status) || status < 400 || status > 599,
    }).map((fault) => `${files.errors}: "${code}" ${fault}`),
  );

const isWhole = (value: unknown): boolean => Number.isInteger(value) && Number(value) > 0;

const isRule = ({ limit, windowSeconds }: ThrottleRule): boolean => isWhole(limit) && isWhole(windowSeconds);

const isCountable = ({ by }: ThrottleRule): boolean => by?.length > 0 && by.every(isDimension);

const isDimension = (each: Dimension): boolean =>
  typeof each === 'string'
    ? callerDimensions.includes(each)
    : 'body' in each
      ? /^\w+$/.test(each.body)
      : ['body', 'query'].includes(each.credential);

const checkThrottles = ({ throttles, files }: Owner, codes: ReadonlySet<string>): string[] =>
  Object.entries(throttles).flatMap(([name, throttle]) =>
    findFaults(() => checkThrottle(name, throttle, codes)).map(
      (fault) => `${files.throttles}: "${name}" ${fault}`,
    ),
  );

function checkThrottle(
  name: string,
  { rules = [], fallback }: Throttle,
  codes: ReadonlySet<string>,
): string[] {
  const isUnknown = (code: string) => !codes.has(code);
  const unknown = rules.flatMap(({ exempt = [] }) => exempt).filter(isUnknown);
  const unknownFailures = rules.flatMap(({ failures = [] }) => failures).filter(isUnknown);
  const countsFailures = rules.some(({ failures }) => failures);
  return listFaults({
    'is not a name: write it in kebab-case': !/^[a-z][a-z0-9-]*$/.test(name),
    'needs rules: write [{ by, limit, windowSeconds }]': rules.length === 0 || !rules.every(isRule),
    [`needs by in each rule: list some of ${callerDimensions.join(', ')}, { body: 'field' }, { credential: 'body' }`]:
      !rules.every(isCountable),
    [`exempts ${unknown.join()}, which is not a code`]: unknown.length > 0,
    [`counts ${unknownFailures.join()} as a failure, which is not a code`]: unknownFailures.length > 0,
    'counts failures only: add a rule that refuses':
      countsFailures && rules.every(({ failures }) => failures),
    'counts failures, so it needs the fallback table': countsFailures && fallback === 'process',
    'needs a fallback: table or process': fallback !== 'table' && fallback !== 'process',
  });
}

/** Every code needs a message, and all locales of a message need the same placeholders. */
function checkMessages({ errors, messages, files }: Owner): string[] {
  const keys = new Set([
    ...Object.keys(errors),
    ...locales.flatMap((locale) => Object.keys(messages[locale])),
  ]);
  return [...keys].flatMap((key) => {
    const texts = locales.map((locale) => messages[locale][key]?.trim() ?? '');
    const missing = locales.filter((_locale, index) => !texts[index]);
    if (missing.length > 0) {
      return missing.map((locale) => `${files.lang}/${locale}.json: "${key}" has no text: write one`);
    }
    const isSame = new Set(texts.map(listPlaceholders)).size === 1;
    return isSame ? [] : [`${files.lang}: "${key}" has other placeholders in another locale: use the same`];
  });
}

const listPlaceholders = (text: string): string => (text.match(/\{\w+\}/g) ?? []).sort().join();
