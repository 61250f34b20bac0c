import * as z from 'zod/mini';
import { getItems, type Item, type Key } from '#shared/db/items.ts';
import { label } from '#shared/schema/marks.ts';
import { recordId } from '#shared/schema/text.ts';
import { addHints } from '#shared/schema/titled.ts';
import { setReference } from '../references.ts';

interface Referred {
  /** Folder of the records' admin routes: `system/admin`. The console finds records by its list. */
  folder: string;
  key(id: { id: string }): Key;
  /** What people read in place of the ID. */
  labelOf(item: Item): string;
}

/**
 * A field with the ID of another record. It must exist when the field is set; a record that is deleted later stays
 * named by its ID. Everybody who reads the field is shown what `labelOf` gives.
 */
export function recordRef({ folder, key, labelOf }: Referred): z.ZodMiniString<string> {
  const schema = label(z.clone(recordId));
  addHints(schema, { refersTo: folder });
  setReference(schema, {
    needs: (id) => [{ key: key({ id }), expect: {} }],
    async readLabels(ids) {
      const items = await getItems(ids.map((id) => key({ id })));
      return new Map(items.map((item) => [String(item.id), labelOf(item)]));
    },
  });
  return schema;
}
