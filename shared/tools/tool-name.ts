/**
 * The name of a tool as every host takes it: `article.list` → `article__list`. The APIs of models accept only
 * `^[a-zA-Z0-9_-]{1,64}$`, and hosted assistants refuse a whole connector for one other name.
 */
export const toPortableName = (name: string): string => name.replace('.', '__');

/**
 * Reads the spellings of tool names that clients use: `article.list`, `article__list`, and `article_list` if only one
 * tool can be meant.
 *
 * @returns the name `module.ability`; undefined for a spelling of no tool, or of more than one
 */
export function createNameReader(names: readonly string[]): (given: string) => string | undefined {
  const exact = new Map(names.flatMap((name) => [name, toPortableName(name)].map((each) => [each, name])));
  const loose = Map.groupBy(names, (name) => name.replace('.', '_'));
  return (given) => {
    const [only, ...others] = loose.get(given) ?? [];
    return exact.get(given) ?? (others.length === 0 ? only : undefined);
  };
}
