import { encodeTime } from 'ulid';
import * as z from 'zod/mini';
import { articles } from '#modules/Article/articles/article-record.ts';
import { admins } from '#modules/System/admins/admin-record.ts';
import { files } from '#modules/System/files/records/file-record.ts';
import { users } from '#modules/System/users/user-record.ts';
import { toItem } from '#shared/db/entity.ts';
import type { Item } from '#shared/db/items.ts';
import { defineRecord } from '#shared/records/define-record.ts';
import { date } from '#shared/records/fields/values.ts';
import { text } from '#shared/schema/text.ts';
import { titled } from '#shared/schema/titled.ts';
import { tickets } from '../../docs/examples/Ticket/tickets/tickets.ts';

const start = Date.UTC(2020, 0);
const timeOf = (index: number): string => new Date(start + index * 1000).toISOString();
const id = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

/** A kind with the filters and the order that `Ticket` has not. */
export const books = defineRecord({
  ...{ module: 'shelf', name: 'growth_book' },
  title: { zh_CN: '书', en: 'book', plural: 'books' },
  fields: {
    title: titled({ zh_CN: '标题', en: 'Title' }, text(1, 100)),
    due: titled({ zh_CN: '期限', en: 'Due' }, date()),
    pages: titled({ zh_CN: '页数', en: 'Pages' }, z.int().check(z.gte(0))),
  },
  filters: ['due', 'pages'],
  search: ['title'],
  order: 'oldest',
});

/** A kind with a filter of yes or no. */
const copies = defineRecord({
  ...{ module: 'shelf', name: 'growth_copy' },
  title: { zh_CN: '册', en: 'copy', plural: 'copies' },
  fields: {
    title: titled({ zh_CN: '标题', en: 'Title' }, text(1, 100)),
    lent: titled({ zh_CN: '已借出', en: 'Lent' }, z.boolean()),
  },
  filters: ['lent'],
});

const created = { created_from: [timeOf(0)], created_before: [timeOf(100)] };
const searched = ['Title', 'none'];

/** Rows of a list, and values of its query parameters: each finds 40 rows or more of 100, or none at all. */
export interface FilledList {
  toItem(index: number): Item;
  samples: Record<string, string[]>;
}

const factsOf = (index: number) => ({
  id: `${encodeTime(start + index * 1000, 10)}${String(index).padStart(16, '0')}`,
  title: `Title ${index}`,
  version: 1,
  created_at: timeOf(index),
  updated_at: timeOf(index),
});

const toArticle = (index: number): Item => {
  const status = index % 2 === 0 ? ('enabled' as const) : ('disabled' as const);
  const category = index % 20 < 18 ? 'news' : 'help';
  const texts = { cover: '', summary: '', published_at: null };
  return toItem(articles, { ...factsOf(index), ...texts, status, category });
};

function toUser(index: number): Item {
  const { id, created_at } = factsOf(index);
  const profile = {
    sn: String(index),
    nickname: `Title ${index}`,
    avatar: '',
    status: 'enabled' as const,
    mobile: null,
  };
  const secrets = { session_epoch: 1, last_login_at: null, terminal: null, mobile: undefined };
  return toItem(users, { id, user: { id, created_at, ...profile }, ...secrets });
}

function toFile(index: number): Item {
  const { id: own, created_at } = factsOf(index);
  const path = {
    uri: 'https://files.example/a.png',
    key: 'a.png',
    engine: 'local' as const,
    ext: 'png',
    mime: 'image/png',
  };
  const facts = { id: own, created_at, cid: index % 2 === 0 ? id : null, type: 'image' as const, size: 1 };
  const uploader = { kind: 'guest' as const, id: null };
  return toItem(files, { ...facts, ...path, name: `Title ${index}`, module: '', tag: '', uploader });
}

function toAdmin(index: number): Item {
  const { id, created_at } = factsOf(index);
  const rights = {
    super: false,
    role_ids: [],
    two_factor: false,
    has_password: true,
    status: 'enabled' as const,
  };
  const login = { last_login_at: null, last_login_ip: null };
  const names = { account: `clerk-${String(index).padStart(6, '0')}`, name: `Title ${index}`, avatar: '' };
  return toItem(admins, { id, ...names, ...rights, ...login, created_at });
}

/** The lists of kinds of records. */
export const kinds = {
  ticket: {
    kind: tickets,
    toItem: (index: number) =>
      toItem(tickets.entity, {
        ...{ ...factsOf(index), text: 'Text', files: null, assignee: null, user_id: id },
        status: index % 2 === 0 ? 'open' : 'closed',
      }),
    samples: { ...created, status: ['open'], user_id: [id], search: searched },
  },
  book: {
    kind: books,
    toItem: (index: number) =>
      toItem(books.entity, {
        ...factsOf(index),
        due: timeOf(index * 86_400).slice(0, 10),
        pages: index,
      }),
    samples: {
      ...{ ...created, due_from: ['2020-01-10'], due_to: ['2020-03-31'] },
      ...{ pages_from: ['10'], pages_to: ['90'], search: searched },
    },
  },
  copy: {
    kind: copies,
    toItem: (index: number) => toItem(copies.entity, { ...factsOf(index), lent: index % 2 === 0 }),
    samples: { ...created, lent: ['true', 'false'] },
  },
};

const categories = ['news'];

/** The lists of shipped modules that grow with use, by path. */
export const shippedLists: Record<string, FilledList> = {
  '/adminapi/article/article/list': {
    toItem: toArticle,
    samples: { category: categories, status: ['enabled'], search: searched },
  },
  '/api/article/article/list': { toItem: toArticle, samples: { category: categories } },
  '/adminapi/user-center/user/list': {
    toItem: toUser,
    samples: { ...created, mobile: ['13800000000'], search: searched },
  },
  '/adminapi/system/file/list': {
    toItem: toFile,
    samples: { type: ['image'], cid: [id], keyword: ['title', 'none'] },
  },
  '/adminapi/system/admin/list': { toItem: toAdmin, samples: { account: ['clerk-'], search: searched } },
};
