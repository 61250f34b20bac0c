import { addArticle } from '#modules/Article/articles/write-articles.ts';
import { addFileCategory, deleteFileCategory } from '#modules/System/files/categories.ts';
import { createUser, createUserId } from '#modules/System/users/create-user.ts';
import type { Item } from '#shared/db/items.ts';
import { keys } from '../../support/keys.ts';
import { newMobile, newWord } from '../world/random.ts';
import type { Caller, World } from '../world/world.ts';
import { defineFlow, type Flow } from './flow.ts';

// Changes of one record by one request, each of a kind that the audit log records.

interface State extends Caller {
  /** ID of the record; of a new one, its name. */
  mark: string;
  body: Record<string, unknown>;
}

interface Change {
  name: string;
  /** Path of the route, below `/adminapi/`. */
  path: string;
  /** Creates what is changed. */
  prepare(): Promise<Pick<State, 'mark' | 'body'>>;
  isDone(world: World, mark: string): Promise<boolean>;
  conflicts?: readonly string[];
}

const defineChange = ({ path, prepare, isDone, ...rest }: Change): Flow<State> =>
  defineFlow<State>({
    ...rest,
    prepare: async (world) => ({ ...(await prepare()), ...(await world.takeAdmin()) }),
    act: ({ api }, { token, body }) => api.post(`/adminapi/${path}`, body, token),
    look: async (world, { mark }) => ((await isDone(world, mark)) ? 'after' : 'before'),
    // It caches the caller, so that the steps of a warm run are those of its own work.
    isShown: async ({ steady }, { token }) =>
      (await steady.get('/adminapi/system/admin/info', {}, token)).status === 200,
    changes: () => [],
    isRecord: ({ action, target, fields }, { mark }) =>
      action === path && JSON.stringify([target, fields]).includes(mark),
    release: (world, state) => world.giveBack(state),
  });

const isNamed = (items: readonly Item[], attribute: string, name: string) =>
  items.some((item) => item[attribute] === name);

const category = 'news';
const content = '<p>text</p>';

async function newArticle() {
  const { id } = await addArticle({ title: newWord(), category, content });
  return { mark: id, body: { id } };
}

const articles: Flow[] = [
  defineChange({
    name: 'an article is added',
    path: 'article/article/add',
    async prepare() {
      const title = newWord();
      return { mark: title, body: { title, category, content } };
    },
    isDone: async ({ table }, title) => isNamed(await table.list('ARTICLE', 'gsi1'), 'title', title),
  }),
  defineChange({
    name: 'an article is edited',
    path: 'article/article/edit',
    async prepare() {
      const { mark, body } = await newArticle();
      return { mark, body: { ...body, version: 1, title: 'new', content: '<p>new</p>' } };
    },
    async isDone({ table }, id) {
      const [article, stored] = [await table.get(keys.article(id)), await table.get(keys.articleContent(id))];
      if ((article?.version === 2) !== (stored?.content_version === 2)) throw new Error('half an article');
      return article?.title === 'new';
    },
    conflicts: ['version_conflict'],
  }),
  defineChange({
    name: 'an article is disabled',
    path: 'article/article/status',
    async prepare() {
      const { mark, body } = await newArticle();
      return { mark, body: { ...body, status: 'disabled' } };
    },
    isDone: async ({ table }, id) => (await table.get(keys.article(id)))?.status === 'disabled',
  }),
  defineChange({
    name: 'an article is deleted',
    path: 'article/article/delete',
    prepare: newArticle,
    isDone: async ({ table }, id) => (await table.get(keys.article(id))) === undefined,
    conflicts: ['article.not_found'],
  }),
];

const user = defineChange({
  name: 'a user is disabled',
  path: 'user-center/user/status',
  async prepare() {
    const { id } = await createUser({ id: createUserId(), terminal: 3, mobile: newMobile() });
    return { mark: id, body: { id, status: 'disabled' } };
  },
  isDone: async ({ table }, id) => (await table.get(keys.user(id)))?.status === 'disabled',
});

/** Categories of earlier runs: there may be 1,000. */
const used: string[] = [];

async function newCategory(): Promise<string> {
  const oldest = used.length > 30 ? used.shift() : undefined;
  if (oldest) await deleteFileCategory(oldest).catch(() => undefined);
  const { id } = await addFileCategory({ name: newWord(), type: 'file', parent_id: null });
  used.push(id);
  return id;
}

const categories: Flow[] = [
  defineChange({
    name: 'a category is added',
    path: 'system/file/category/add',
    async prepare() {
      const name = newWord();
      return { mark: name, body: { name, type: 'file' } };
    },
    isDone: async ({ table }, name) => isNamed(await table.list(keys.fileCategories), 'name', name),
  }),
  defineChange({
    name: 'a category is renamed',
    path: 'system/file/category/edit',
    async prepare() {
      const id = await newCategory();
      return { mark: id, body: { id, name: 'new' } };
    },
    isDone: async ({ table }, id) => (await table.get(keys.fileCategory(id)))?.name === 'new',
  }),
  defineChange({
    name: 'a category is deleted',
    path: 'system/file/category/delete',
    async prepare() {
      const { id } = await addFileCategory({ name: newWord(), type: 'file', parent_id: null });
      return { mark: id, body: { id } };
    },
    isDone: async ({ table }, id) => (await table.get(keys.fileCategory(id))) === undefined,
    conflicts: ['file.category_not_found'],
  }),
];

export const changeFlows: Flow[] = [...articles, user, ...categories];
