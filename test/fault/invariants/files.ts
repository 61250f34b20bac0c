import { listPartitions } from '#shared/db/paging/spread-index.ts';
import { byKey, countBy, differ, type Holdings, type Invariant, under } from './invariant.ts';

const list = (holdings: Holdings) => under(holdings, 'FILE#');

/** Each record is in the list of all files, of its type and of its category, and in no other. */
const lists: Invariant = (holdings) =>
  list(holdings).flatMap(({ pk, id, cid, type, ...item }) => {
    const entries = [
      [item.gsi1pk, item.gsi1sk, ['FILE', ...listPartitions('FILE')], id],
      [item.gsi2pk, item.gsi2sk, [cid && `FILE_CATEGORY#${cid}`], cid && id],
      [item.gsi3pk, item.gsi3sk, [`FILE_TYPE#${type}`, ...listPartitions(`FILE_TYPE#${type}`)], id],
    ] as const;
    return entries.flatMap(([partition, key, partitions, expected]) =>
      key === expected && partitions.some((known) => known === partition)
        ? []
        : [`${pk} is listed under ${partition} ${key}`],
    );
  });

const categories: Invariant = (holdings) => {
  const items = byKey(holdings);
  const all = under(holdings, 'FILE_CATEGORY').filter(({ sk }) => sk !== '#total');
  const [files, children] = [countBy(list(holdings), 'cid'), countBy(all, 'parent_id')];
  return [
    ...differ('categories', Number(items.get('FILE_CATEGORY #total')?.count ?? 0), all.length),
    ...all.flatMap(({ id, file_count, child_count }) => [
      ...differ(`files of ${id}`, file_count, files(id)),
      ...differ(`children of ${id}`, child_count, children(id)),
    ]),
  ];
};

/** Every record has its bytes in the engine. */
const bytes: Invariant = (holdings) =>
  list(holdings).flatMap(({ pk, engine, key, size }) =>
    differ(`bytes of ${pk}`, size, holdings.objects.get(`${engine} ${key}`)),
  );

/** Every object has a record, or an upload that the clean-up will check. */
const owned: Invariant = (holdings) => {
  const uploads = under(holdings, 'UPLOAD#').map(({ file }) => Object(file));
  const owners = new Set([...list(holdings), ...uploads].map(({ engine, key }) => `${engine} ${key}`));
  return [...holdings.objects.keys()]
    .filter((name) => !owners.has(name))
    .map((name) => `${name} has no owner`);
};

export const fileInvariants: Invariant[] = [lists, categories, bytes, owned];

/** What is left once every upload is over and the clean-up has run. */
export const nothingLeft: Invariant = (holdings) => [
  ...under(holdings, 'UPLOAD#').map(({ pk }) => `${pk} is not cleaned up`),
  ...holdings.scraps.map((name) => `${name} is not cleaned up`),
];
