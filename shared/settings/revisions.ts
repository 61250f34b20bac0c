import type { Item } from '#shared/db/items.ts';
import type { CursorPage } from '#shared/db/paging/cursor.ts';
import { queryRevisions, type Revision } from '#shared/db/revisions/read.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import type { ConfigGroup } from './group.ts';
import { secretMask, storedSettings } from './store.ts';

/**
 * The changes of a group, newest first, each with the values of one setting by its key; null for the default. Of a
 * secret only a mask.
 *
 * @throws AppError `request.invalid` for a cursor of another group
 */
export async function listSettingRevisions(
  group: ConfigGroup,
  query: { limit: number; cursor?: string | undefined },
): Promise<CursorPage<Revision>> {
  const key = storedSettings.key({ group: group.name, name: '' });
  const { list, next_cursor } = await queryRevisions(key, query);
  const show = ({ key: name, value }: Item): Item => {
    // A setting may have become a secret since, or may not be declared any more.
    const isPlain = group.keys[String(name)]?.secret !== true;
    return { [String(name)]: isPlain || value === null ? value : secretMask };
  };
  return {
    list: list.map((each) => ({
      ...each,
      old: show(each.old),
      new: each.new && show({ ...each.old, ...each.new }),
    })),
    next_cursor,
  };
}

export const writtenKeys: ListWrittenKeys = () => [];
