import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModuleErrors } from '#shared/errors/app-error.ts';
import { errorCatalogue } from '#shared/errors/catalogue.ts';
import { type Locale, locales } from '#shared/i18n/locale.ts';
import { type Messages, sharedMessages } from '#shared/i18n/messages.ts';
import platformThrottles, { type Throttle } from '#shared/throttle/throttles.ts';
import type { FoundModule, Owner } from './model.ts';
import { findTwins, importDefault, reasonOf, type Scope } from './scope.ts';

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
export async function readOwner(scope: Scope, name: string): Promise<Owner> {
  const home = `modules/${name}`;
  const files = { errors: `${home}/errors.ts`, throttles: `${home}/throttles.ts`, lang: `${home}/lang` };
  const isThere = (file: string) => existsSync(join(scope.root, file));
  const errors = isThere(files.errors) ? await importDefault<ModuleErrors>(scope, files.errors) : undefined;
  const throttles = isThere(files.throttles)
    ? await importDefault<Record<string, Throttle>>(scope, files.throttles)
    : undefined;
  const read = (locale: Locale): Messages =>
    isThere(files.lang) ? readMessages(scope, `${files.lang}/${locale}.json`) : {};
  return {
    errors: { ...errors?.codes },
    throttles: { ...throttles },
    messages: { zh_CN: read('zh_CN'), en: read('en') },
    files,
  };
}

function readMessages({ root, problems }: Scope, file: string): Messages {
  if (!existsSync(join(root, file))) {
    problems.push(`${file} is missing: write a text for each key of the other locales`);
    return {};
  }
  try {
    const read: unknown = JSON.parse(readFileSync(join(root, file), 'utf8'));
    const texts = Object.entries(Object(read)).map(([key, text]) => [key, String(text)]);
    return Object.fromEntries(texts);
  } catch (error) {
    problems.push(`${file} cannot be read: ${reasonOf(error)}`);
    return {};
  }
}

/** The owners whose declarations a module may use: the platform, itself, and the modules that it requires. */
export function listOwners(modules: readonly FoundModule[], name: string): Owner[] {
  return [platform, ...listWithRequired(modules, name)];
}

/** A module and all direct and indirect requirements, in the given order. */
export function listWithRequired(modules: readonly FoundModule[], name: string): FoundModule[] {
  const names = new Set<string>();
  const add = (each: string) => {
    if (names.has(each)) return;
    names.add(each);
    for (const required of modules.find(({ manifest }) => manifest.name === each)?.manifest.requires ?? []) {
      add(required);
    }
  };
  add(name);
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
    ...findTwins(owners.flatMap(({ errors, files }) => quoteNames(errors, files.errors))),
    ...findTwins(owners.flatMap(({ throttles, files }) => quoteNames(throttles, files.throttles))),
    ...findTwins(owners.flatMap(({ messages, files }) => quoteNames(messages[locales[0]], files.lang))),
  ];
}

const quoteNames = (declared: object, file: string) =>
  Object.keys(declared).map((name) => ({ name: `"${name}"`, file }));

function checkErrors({ errors, files }: Owner): string[] {
  return Object.entries(errors).flatMap(([code, status]) => {
    const faults: string[] = [];
    if (!/^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)?$/.test(code))
      faults.push('is not a code: write it as shop.not_found');
    if (!Number.isInteger(status) || status < 400 || status > 599)
      faults.push(`has the status ${status}: use 400 to 599`);
    return faults.map((fault) => `${files.errors}: "${code}" ${fault}`);
  });
}

function checkThrottles({ throttles, files }: Owner, codes: ReadonlySet<string>): string[] {
  return Object.entries(throttles).flatMap(([name, { rules, fallback }]) => {
    const faults: string[] = [];
    if (!/^[a-z][a-z0-9-]*$/.test(name)) faults.push('is not a name: write it in kebab-case');
    const isWhole = (value: unknown) => Number.isInteger(value) && Number(value) > 0;
    const isRule = (rule: Throttle['rules'][number]) =>
      rule.by?.length > 0 && isWhole(rule.limit) && isWhole(rule.windowSeconds);
    if (!rules?.length || !rules.every(isRule))
      faults.push('needs rules: write [{ by, limit, windowSeconds }]');
    for (const { exempt } of rules ?? []) {
      if (exempt !== undefined && !codes.has(exempt)) faults.push(`exempts ${exempt}, which is not a code`);
    }
    if (fallback !== 'table' && fallback !== 'process') faults.push('needs a fallback: table or process');
    return faults.map((fault) => `${files.throttles}: "${name}" ${fault}`);
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
    const [first, ...others] = texts.map(listPlaceholders);
    return [
      ...missing.map((locale) => `${files.lang}/${locale}.json: "${key}" has no text: write one`),
      ...(missing.length === 0 && others.some((each) => each !== first)
        ? [`${files.lang}: "${key}" has other placeholders in another locale: use the same`]
        : []),
    ];
  });
}

const listPlaceholders = (text: string): string => (text.match(/\{\w+\}/g) ?? []).sort().join();
