type Json = Record<string, unknown>;

/** Where something lies in a document: the keys that lead to it. */
export type Place = readonly string[];

/** A document with references, read by place. */
export class OpenApiDocument {
  readonly #document: Json;

  constructor(document: Json) {
    this.#document = document;
  }

  /** The value at a place, after following references, and its final place; undefined if not found. */
  find(place: Place): { value: Json; place: Place } | undefined {
    let value: unknown = this.#document;
    for (const [index, key] of place.entries()) {
      if (!Object.hasOwn(Object(value), key)) return undefined;
      value = Object(value)[key];
      const reference: unknown = Object(value).$ref;
      if (typeof reference === 'string') {
        return this.find([...readReference(reference), ...place.slice(index + 1)]);
      }
    }
    return { value: Object(value), place };
  }

  /** The place of the path that a URL's path is of: the longest that fits. The gateway ignores one slash at its end. */
  findPath(path: string): Place | undefined {
    const plain = path.replace(/(?<=.)\/$/, '');
    const [template] = Object.keys(Object(this.#document.paths))
      .filter((each) => toPattern(each).test(path) || toPattern(each).test(plain))
      .sort((a, b) => b.length - a.length);
    return template === undefined ? undefined : ['paths', template];
  }
}

/** A place as a JSON pointer in a URL (RFC 6901, section 6). */
export const toReference = (place: Place): string =>
  `#/${place.map((key) => encodeURIComponent(key.replace(/~/g, '~0').replace(/\//g, '~1'))).join('/')}`;

const readReference = (reference: string): Place =>
  reference
    .split('/')
    .slice(1)
    .map((key) => decodeURIComponent(key).replace(/~1/g, '/').replace(/~0/g, '~'));

/** A parameter of a path stands for all that follows. */
const toPattern = (template: string): RegExp =>
  new RegExp(`^${template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '.+')}$`);
