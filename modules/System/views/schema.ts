import * as z from 'zod/mini';
import { components } from '#shared/schema/component.ts';
import { createdAt, updatedAt, version } from '#shared/schema/fields.ts';
import { label } from '#shared/schema/marks.ts';
import { recordId, text } from '#shared/schema/text.ts';
import { titled } from '#shared/schema/titled.ts';

/** The path of a page of the console: `article/article`. */
export const viewPage = titled(
  { zh_CN: '页面', en: 'Page' },
  label(z.string().check(z.maxLength(150), z.regex(/^[\w-]+(?:\/[\w-]+)+$/, { error: 'rule.view_page' }))),
);
const columnNames = z.array(text(1, 64)).check(z.maxLength(100));

/** What an operator chooses of a view; a name is unique in its page, in any case and width. */
export const viewFields = {
  name: titled({ zh_CN: '名称', en: 'Name' }, label(text(1, 50))),
  query: titled({ zh_CN: '筛选', en: 'Filters' }, text(0, 2000)),
  columns: titled(
    { zh_CN: '列', en: 'Columns' },
    z.nullable(
      z.strictObject({
        shown: titled({ zh_CN: '显示', en: 'Shown' }, columnNames),
        hidden: titled({ zh_CN: '隐藏', en: 'Hidden' }, columnNames),
        order: titled({ zh_CN: '顺序', en: 'Order' }, columnNames),
      }),
    ),
  ),
};

/** A view of a page, shared by all who may read its list. */
export const viewData = z
  .strictObject({
    id: recordId,
    page: viewPage,
    ...viewFields,
    version,
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .register(components, { id: 'View' });
export type View = z.infer<typeof viewData>;
