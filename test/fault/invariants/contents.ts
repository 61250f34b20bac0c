import { countBy, differ, type Invariant, sum, under } from './invariant.ts';

const dictionaries: Invariant = (holdings) => {
  const types = under(holdings, 'DICT_TYPE');
  const items = under(holdings, 'DICT#');
  const inType = countBy(items, 'pk');
  const known = new Set(types.map(({ sk }) => `DICT#${sk}`));
  return [
    ...types.flatMap(({ sk, item_count }) => differ(`items of ${sk}`, item_count, inType(`DICT#${sk}`))),
    ...items.filter(({ pk }) => !known.has(String(pk))).map(({ pk, sk }) => `${pk} ${sk} has no type`),
    ...[...types, ...items]
      .filter((item) => !Number.isInteger(item.version) || Number(item.version) < 1)
      .map(({ pk, sk }) => `${pk} ${sk} has no version`),
  ];
};

/** The references to a value add up, and so do those by module. */
const usages: Invariant = (holdings) => {
  const counts = Map.groupBy(under(holdings, 'USAGE#'), ({ pk }) => String(pk));
  const articles = under(holdings, 'ARTICLE#').filter(({ pk, sk }) => pk === sk);
  const inCategory = countBy(articles, 'category');
  const byCategory = [...counts].flatMap(([pk, found]) => {
    const total = sum(
      found.filter(({ sk }) => sk === '#total'),
      'count',
    );
    const own = sum(
      found.filter(({ sk }) => sk !== '#total'),
      'count',
    );
    const category = pk.replace('USAGE#article_category#', '');
    return [...differ(pk, total, own), ...differ(`${pk} by articles`, total, inCategory(category))];
  });
  return [
    ...byCategory,
    ...differ('articles', sum(under(holdings, 'COUNTER#ARTICLES'), 'total'), articles.length),
  ];
};

/** The total usage is the sum of each administrator's. */
const aiUsage: Invariant = (holdings) =>
  [...Map.groupBy(under(holdings, 'AI_USAGE'), ({ sk }) => String(sk).slice(0, 10))].flatMap(([day, found]) =>
    ['calls', 'input_tokens', 'output_tokens'].flatMap((attribute) => {
      const total = found.filter(({ sk }) => sk === day);
      const own = found.filter(({ sk }) => sk !== day);
      return differ(`${attribute} of ${day}`, sum(total, attribute), sum(own, attribute));
    }),
  );

const settings: Invariant = (holdings) =>
  under(holdings, 'CONFIG#')
    .filter(({ value, updated_at }) => value === undefined || typeof updated_at !== 'string')
    .map(({ pk, sk }) => `${pk} ${sk} is half written`);

export const contentInvariants: Invariant[] = [dictionaries, usages, aiUsage, settings];
