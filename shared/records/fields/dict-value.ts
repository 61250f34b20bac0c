import * as z from 'zod/mini';
import { dictItemKey, dictTypeKey } from '#shared/dict/read-schema.ts';
import { dict } from '#shared/dict/reader.ts';
import { itemValue } from '#shared/dict/schema.ts';
import { addHints } from '#shared/schema/titled.ts';
import { setReference } from '../references.ts';

/**
 * A value of a dictionary. It must exist and be enabled when a record begins to use it, and it is counted, so that
 * operators cannot delete a value in use (`dict.value_in_use`).
 *
 * @param dictionary type key
 */
export function dictValue(dictionary: string): z.ZodMiniString<string> {
  const schema = z.clone(itemValue);
  addHints(schema, { dictionary });
  setReference(schema, {
    dictionary,
    needs: (value) => [
      { key: dictTypeKey({ type_key: dictionary }), expect: { enabled: true } },
      { key: dictItemKey({ type_key: dictionary, value }), expect: { status: 'enabled' } },
    ],
    async readLabels() {
      const { [dictionary]: options = [] } = await dict.get(dictionary);
      return new Map(options.map(({ value, name }) => [value, name]));
    },
  });
  return schema;
}
