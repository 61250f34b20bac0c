import { type Beginning, type FoundEntity, findEntities } from '../discover/entity-keys.ts';
import type { FoundModule } from '../model.ts';
import { readReservedKinds } from './reserved-keys.ts';

/** Problems of the records of modules: two indexes with one name, and keys that may be those of other records. */
export function checkEntities(root: string, modules: readonly FoundModule[]): string[] {
  const entities = findEntities(root, modules);
  // A module that the service needs may share records with the platform.
  const own = modules.flatMap(({ manifest }) => (manifest.isNeeded ? [] : manifest.name));
  const reserved = readReservedKinds();
  const order = (module: string | undefined) => (module === undefined ? -1 : own.indexOf(module));
  return entities
    .filter(({ module }) => module !== undefined)
    .flatMap((entity) => {
      const met = entities
        .filter(({ module }) => order(module) < order(entity.module))
        .flatMap((other) => compare(entity, other));
      const isOwn = order(entity.module) >= 0;
      return [
        ...checkIndexNames(entity),
        ...met,
        ...(isOwn && met.length === 0 ? compareWithReserved(entity, reserved) : []),
      ];
    });
}

const checkIndexNames = ({ file, indexNames }: FoundEntity): string[] =>
  [...new Set(indexNames.filter((name, at) => indexNames.indexOf(name) < at))].map(
    (name) =>
      `${file}: two indexes of an entity are on ${name}, so one list loses rows: use each of gsi1, gsi2 and gsi3 once`,
  );

/** Keys that begin as those of items of the platform, also of those that no entity declares. */
function compareWithReserved({ file, beginnings }: FoundEntity, reserved: readonly string[]): string[] {
  const own = beginnings.get('key');
  if (!own) return [];
  const meets = (text: string, isWhole: boolean) => mayMeet(own, { text, isWhole });
  const kind = reserved.find((each) => meets(each, true) || meets(`${each}#`, false));
  if (kind === undefined) return [];
  return [
    `${file}: the key of an entity begins with "${own.text}", and ${kind} is for items of the platform: ${advice}`,
  ];
}

const advice = 'begin it with the name of the module';

/** Keys of an entity that begin as those of another one, or the other way round. */
function compare(entity: FoundEntity, other: FoundEntity): string[] {
  return [...entity.beginnings].flatMap(([name, own]) => {
    const found = other.beginnings.get(name);
    if (!found || !mayMeet(own, found)) return [];
    const kind = name === 'key' ? 'the key of an entity' : `the key of an entity in ${name}`;
    return `${entity.file}: ${kind} begins with "${own.text}", and that of ${other.file} with "${found.text}": ${advice}`;
  });
}

/** Whether a key of one kind may equal, or begin as, a key of the other. */
function mayMeet(own: Beginning, other: Beginning): boolean {
  if (own.isWhole && other.isWhole) return own.text === other.text;
  return (
    (!other.isWhole && own.text.startsWith(other.text)) || (!own.isWhole && other.text.startsWith(own.text))
  );
}
