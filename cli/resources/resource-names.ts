import { UsageError } from '../command.ts';
import { createNames } from '../templates/names.ts';

/** What a resource is called for people; the rest is made of its name. */
export interface GivenNames {
  /** `商品|product|products`, or the first two. */
  title?: string | undefined;
}

/** The forms of a resource's name. @param resource in lower case with underscores, as in `order_item` */
export function createResourceNames(module: string, resource: string, given: GivenNames = {}) {
  if (!/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(resource) || resource.length > 30)
    throw new UsageError(
      `"${resource}" is not a name: write it in lower case with underscores, at most 30 characters`,
    );
  const { prefix, codes, title: moduleTitle } = createNames(module);
  const english = resource.replaceAll('_', ' ');
  const [zh_CN = english, en = english, plural = toPlural(en)] =
    given.title?.split('|').map((part) => part.trim()) ?? [];
  if ([zh_CN, en, plural].some((part) => part === '' || /['\\\n]/.test(part)))
    throw new UsageError(`"${given.title}" is not a title: write it as 商品|product|products`);
  const folder = resource.replaceAll('_', '-');
  return {
    module,
    prefix,
    moduleTitle,
    title: { zh_CN, en, plural },
    /** Its records in keys and in the audit log: unique in the service. */
    record: resource === codes ? resource : `${codes}_${resource}`,
    /** Its folder in `Admin/`. */
    folder,
    /** The folder and the file of its declaration. */
    files: toPlural(folder),
    /** The constant of its declaration. */
    constant: toCamelCase(toPlural(resource)),
    /** One record, in names of classes. */
    pascal: toPascalCase(resource),
    pascals: toPascalCase(toPlural(resource)),
    /** Several, in names of tools. */
    several: toPlural(resource),
    one: resource,
  };
}
export type ResourceNames = ReturnType<typeof createResourceNames>;

/** The English plural of a regular noun. */
function toPlural(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

const toPascalCase = (name: string): string =>
  name.replace(/(?:^|_)([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase());

const toCamelCase = (name: string): string => {
  const pascal = toPascalCase(name);
  return pascal.charAt(0).toLowerCase() + pascal.slice(1);
};
