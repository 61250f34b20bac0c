import * as z from 'zod/mini';
import { integerText, text } from './text.ts';
import { titled } from './titled.ts';

/** A flag in a query parameter: `1` or `true`, `0` or `false`. */
export const queryFlag = titled(
  { zh_CN: '是否', en: 'Yes or no', type: 'boolean' },
  z.pipe(
    z.enum(['0', '1', 'false', 'true']),
    z.pipe(
      z.transform((value: '0' | '1' | 'false' | 'true') => value === '1' || value === 'true'),
      z.boolean(),
    ),
  ),
);

/** Text to search for in a list. */
export const keyword = titled({ zh_CN: '搜索', en: 'Search' }, z.string());

/** Query parameters of a small, bounded collection. */
export const pageQuery = {
  /** Counts from 1. */
  page_no: titled({ zh_CN: '页码', en: 'Page' }, z._default(integerText(1, 999_999_999), 1)),
  page_size: titled({ zh_CN: '每页条数', en: 'Page size' }, z._default(integerText(1, 200), 20)),
};

/** Query parameters of an unbounded collection. */
export const cursorQuery = {
  limit: titled({ zh_CN: '每页条数', en: 'Page size' }, z._default(integerText(1, 100), 20)),
  /** `next_cursor` of the page before. */
  cursor: titled(
    { zh_CN: '下一页的位置', en: 'Position of the next page' },
    z.optional(z.string().check(z.maxLength(2000))),
  ),
};

/** Query parameters of a list by creation: limit it to records of a time. `toCreationRange` reads them. */
export const creationQuery = {
  created_from: titled({ zh_CN: '创建时间起', en: 'Created from' }, z.optional(z.iso.datetime())),
  created_before: titled({ zh_CN: '创建时间止', en: 'Created before' }, z.optional(z.iso.datetime())),
};

/** A search in texts, in words or pairs of Chinese characters. */
export const searchQuery = {
  search: titled({ zh_CN: '搜索', en: 'Search' }, z.optional(text(1, 100))),
};

/** `data` of a list with a search; `partial`, only sent if true, says that there may be more although the page is not full. */
export const searchListOf = <Item extends z.core.$ZodType>(item: Item) =>
  z.strictObject({
    list: z.array(item),
    next_cursor: z.nullable(z.string()),
    partial: titled({ zh_CN: '未查完', en: 'Not all were read' }, z.optional(z.literal(true))),
  });

/** `data` of a paged list. */
export function pageOf<Item extends z.core.$ZodType>(item: Item) {
  return z.strictObject({
    list: z.array(item),
    total: z.int(),
    page_no: z.int(),
    page_size: z.int(),
  });
}

/** `data` of a cursor list; `next_cursor` is null at the end. */
export function cursorListOf<Item extends z.core.$ZodType>(item: Item) {
  return z.strictObject({ list: z.array(item), next_cursor: z.nullable(z.string()) });
}

export function toPage<T>(items: T[], query: { page_no: number; page_size: number }) {
  const { page_no, page_size } = query;
  const start = (page_no - 1) * page_size;
  return { list: items.slice(start, start + page_size), total: items.length, page_no, page_size };
}
