/** An attribute as DynamoDB's JSON spells it. */
export type AttributeValue = Record<string, unknown>;
/** An item as DynamoDB's JSON spells it. */
export type WireItem = Record<string, AttributeValue>;

/** Where units are consumed: the table, or one of its indexes. */
export type Place = 'table' | 'gsi1' | 'gsi2' | 'gsi3';
export const indexPlaces = ['gsi1', 'gsi2', 'gsi3'] as const satisfies Place[];

/** What one partition of the table or of an index consumes for one item. */
export interface WriteUse {
  place: Place;
  /** Value of the partition key. */
  key: string;
  units: number;
}

/** One write unit per so many bytes, one read unit per so many. */
const writeBytes = 1024;
const readBytes = 4096;
/** Both phases of a transaction cost; DynamoDB Local counts its index writes twice too. */
const transactionFactor = 2;

const utf8 = (text: string): number => Buffer.byteLength(text);

/** Bytes of a number: a byte per two significant digits and one more, and one for a minus sign. */
function numberSize(text: string): number {
  const digits = text.replace(/[eE].*$/, '').replace(/[^0-9]/g, '');
  const significant = digits.replace(/^0+/, '').replace(/0+$/, '');
  return Math.ceil(significant.length / 2) + (text.startsWith('-') ? 2 : 1);
}

function valueSize(value: AttributeValue): number {
  const [kind = '', content] = Object.entries(value)[0] ?? [];
  const texts: string[] = Array.isArray(content) ? content.map(String) : [];
  switch (kind) {
    case 'S':
      return utf8(String(content));
    case 'N':
      return numberSize(String(content));
    case 'B':
      return Buffer.from(String(content), 'base64').length;
    case 'SS':
      return texts.reduce((sum, text) => sum + utf8(text), 0);
    case 'NS':
      return texts.reduce((sum, text) => sum + numberSize(text), 0);
    case 'L':
      return 3 + [content].flat().reduce((sum: number, item) => sum + 1 + valueSize(Object(item)), 0);
    case 'M':
      return 3 + Object.keys(Object(content)).length + itemSize(Object(content));
    default:
      return 1;
  }
}

/** Bytes of an item, as AWS documents them: the names and the values of its attributes. */
export function itemSize(item: WireItem): number {
  return Object.entries(item).reduce((sum, [name, value]) => sum + utf8(name) + valueSize(value), 0);
}

const sizeOf = (item: WireItem | undefined): number => (item ? itemSize(item) : 0);
const toUnits = (bytes: number, step: number): number => Math.max(1, Math.ceil(bytes / step));

/** Units of a read of one item by its key; an item that does not exist costs one step too. */
export function readUnits(item: WireItem | undefined, isConsistent: boolean): number {
  return toUnits(sizeOf(item), readBytes) * (isConsistent ? 1 : 0.5);
}

const textOf = (item: WireItem | undefined, name: string): string | undefined => {
  const value = item?.[name]?.S;
  return value === undefined ? undefined : String(value);
};

/**
 * Units of a write of one item: in the table, and in every index that the item is or was in.
 *
 * @param before the item as it was; undefined if it did not exist
 * @param after the item as it is; the same as before for a check
 */
export function writeUnits(
  key: string,
  before: WireItem | undefined,
  after: WireItem | undefined,
  isTransaction: boolean,
): WriteUse[] {
  const factor = isTransaction ? transactionFactor : 1;
  const larger = toUnits(Math.max(sizeOf(before), sizeOf(after)), writeBytes);
  const uses: WriteUse[] = [{ place: 'table', key, units: larger * factor }];
  for (const place of indexPlaces) {
    const [old, next] = [textOf(before, `${place}pk`), textOf(after, `${place}pk`)];
    const isMoved = old !== next || textOf(before, `${place}sk`) !== textOf(after, `${place}sk`);
    // An entry whose key changes is deleted and put; every index holds all attributes.
    if (old !== undefined && isMoved) {
      uses.push({ place, key: old, units: toUnits(sizeOf(before), writeBytes) * factor });
    }
    if (next !== undefined && isMoved) {
      uses.push({ place, key: next, units: toUnits(sizeOf(after), writeBytes) * factor });
    }
    if (next !== undefined && !isMoved && !isSame(before, after))
      uses.push({ place, key: next, units: larger * factor });
  }
  return uses;
}

/** Whether a write changes nothing. */
export const isSame = (before: WireItem | undefined, after: WireItem | undefined): boolean =>
  JSON.stringify(sorted(before)) === JSON.stringify(sorted(after));

const sorted = (item: WireItem | undefined) =>
  item && Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1));
