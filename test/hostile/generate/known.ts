import fc from 'fast-check';
import type { Known } from './from-schema.ts';
import { authorizeFields } from './oauth-bodies.ts';
import { respellings } from './respell.ts';

/** The placeholder of the n-th existing thing of a kind. */
const existing = (kind: string, most = 7): fc.Arbitrary<string> =>
  fc.nat({ max: most }).map((index) => `~${kind}.${index}~`);

/** {@link existing} tokens, one in eight of them respelled, which nothing may accept. */
const existingToken = (kind: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 7, arbitrary: existing(kind, 1) },
    {
      weight: 1,
      arbitrary: fc.nat({ max: respellings - 1 }).map((way) => `~${kind}.0.${way}~`),
    },
  );

/** Kinds of the records that a path is about. */
const recordKinds: [start: string, kind: string][] = [
  ['/adminapi/system/file/category/', 'category'],
  ['/adminapi/system/file/', 'file'],
  ['/adminapi/system/admin/token/', 'token'],
  ['/adminapi/system/oauth/client/', 'oauth_client'],
  ['/adminapi/system/admin/', 'admin'],
  ['/adminapi/system/audit/', 'audit'],
  ['/adminapi/system/role/', 'role'],
  ['/adminapi/user-center/user/', 'user'],
  ['/adminapi/article/', 'article'],
  ['/api/article/', 'article'],
];

/** The kind of the record that a path's `id` is of. */
export const kindOf = (path: string): string | undefined =>
  recordKinds.find(([start]) => path.startsWith(start))?.[1];

/** The kind of the cursors of a list; they open nowhere else. */
export const cursorKind = (path: string): string => `cursor${path.replace(/\W/g, '_')}`;

/** The passwords of all callers. */
export const passwords = ['correct horse battery', 'another horse battery'] as const;
export const mobiles = ['13800000001', '13800000002', '13800000003', '13800000004'] as const;
export const typeKeys = ['hostile_one', 'hostile_two', 'article_category', 'source_channel'] as const;

const mediaUrls = [
  ...['storage/uploads/image/20260101/a.png', 'http://localhost:3000/storage/uploads/a.png', ''],
  'https://cdn.example.com/a',
  ...['uploads/a.png', '/storage/x', '//localhost:3000/storage/y', '#a', 'data:image/png;base64,AA=='],
  ...['http://[', 'a b'],
];
const contents = [
  '<p>text <img src="http://localhost:3000/storage/uploads/a.png"></p>',
  '<p>中文<a href="javascript:alert(1)">x</a><video poster="/storage/a.png" src=uploads/b.mp4></video>',
  `${'<div>'.repeat(200)}x`,
  `<table>${'<a href="uploads/x">'.repeat(100)}`,
  '<svg><style><img src="/storage/a.png"></style></svg><template><img src=storage/x></template>',
  '',
];

const byName: Record<string, fc.Arbitrary<unknown>> = {
  type_key: fc.oneof(fc.constantFrom(...typeKeys), existing('dict', 2)),
  category: fc.constantFrom('news', 'notice', 'help'),
  value: fc.constantFrom('one', 'two', '007', '1e3', 'news', ' ', '__proto__', 'constructor'),
  new_value: fc.constantFrom('one', 'three', '#total'),
  version: fc.oneof(
    { weight: 4, arbitrary: fc.constant(1) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 4 }) },
  ),
  mobile: fc.constantFrom(...mobiles),
  account: fc.constantFrom('root', 'second', 'third', 'a'),
  password: fc.constantFrom(...passwords),
  old_password: fc.constantFrom(...passwords),
  captcha_token: existing('captcha', 1),
  payload: existing('solved', 3),
  ticket: existingToken('ticket'),
  confirm: existingToken('confirm'),
  cid: fc.oneof(existing('category'), fc.constantFrom('', '0', 0, null)),
  parent_id: fc.oneof(existing('category'), fc.constantFrom('', 0, null)),
  cover: fc.constantFrom(...mediaUrls),
  avatar: fc.constantFrom(...mediaUrls),
  content: fc.constantFrom(...contents),
  keyword: fc.constantFrom('a', '中', ' ', '%', 'A'),
  limit: fc.constantFrom(1, 2, 100),
  page_size: fc.constantFrom(1, 3, 200),
};

/** Values for the fields of a path's requests. */
export function knownFields(path: string): Known {
  const kind = kindOf(path);
  return (name) => {
    if (name === 'cursor') return existingToken(cursorKind(path));
    if ((name === 'id' || name === 'ids') && kind) return existing(kind);
    if (path.includes('/upload/')) {
      if (name === 'type') return fc.constantFrom('image', 'video', 'file');
      if (name === 'name')
        return fc.constantFrom('a.txt', 'a.png', '中文.docx', 'a.mp4', 'a.svg', '.txt', 'x');
      if (name === 'size') return fc.constantFrom(1, 5, 5_242_880, 5_242_881, 52_428_800, 9_999_999_999);
    }
    if (path.includes('/oauth/') && Object.hasOwn(authorizeFields, name)) return authorizeFields[name];
    if (path.endsWith('/config/dict') && name === 'type') return fc.constantFrom(...typeKeys);
    // Lists of these are of texts that the schema of an entry says more about.
    return Object.hasOwn(byName, name) ? byName[name] : undefined;
  };
}
