import type { Client } from '../support/client.ts';
import type { RunningServer } from '../support/local-server.ts';
import { readPartition, setAttribute } from '../support/table.ts';

export const adminPath = '/adminapi/article/article';
export const publicPath = '/api/article/article';
export const unknownId = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

/** Actions of an administrator on articles and categories. */
export function createDesk(admin: Client) {
  const { get, post } = admin.at(adminPath);
  const postDict = (path: string, body: object) =>
    admin.post(`/adminapi/system/setting/dict/${path}`, { type_key: 'article_category', ...body });

  /** Adds an article and returns it. */
  const add = async (fields: object = {}) =>
    (await post('add', { title: 'Title', category: 'news', content: '<p>text</p>', ...fields })).data;

  /** Adds a category. */
  const addCategory = (value: string) => postDict('data/add', { value, name: value });
  return { get, post, postDict, add, addCategory };
}

/** The items of an article in a server's table: the article and its content. */
export async function readStored(server: RunningServer, id: string) {
  const items = await readPartition(server, `ARTICLE#${id}`);
  return {
    article: items.find((item) => item.sk !== '#content'),
    content: items.find((item) => item.sk === '#content'),
  };
}

/** Stores the content of an article as it is, as an older version of the service did. */
export const storeContent = (server: RunningServer, id: string, content: string) =>
  setAttribute(server, { pk: `ARTICLE#${id}`, sk: '#content' }, 'content', content);
