import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Answer, Client } from '../support/client.ts';
import type { RunningServer } from '../support/local-server.ts';

export const adminPath = '/adminapi/article/article';
export const publicPath = '/api/article/article';
export const unknownId = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const dictPath = '/adminapi/system/setting/dict';

const article = z.looseObject({
  id: z.string(),
  title: z.string(),
  cover: z.string(),
  content: z.string(),
  version: z.number(),
});
const list = z.object({
  list: z.array(z.looseObject({ id: z.string() })),
  next_cursor: z.nullable(z.string()),
});

export const readArticle = (answer: Answer) => z.parse(article, answer.data);
export const readList = (answer: Answer) => z.parse(list, answer.data);
export const idsOf = (answer: Answer): string[] => readList(answer).list.map(({ id }) => id);

/** Actions of an administrator on articles and categories. */
export function createDesk(client: Client, token: string) {
  const get = (path: string) => client.get(`${adminPath}/${path}`, { token });
  const post = (path: string, body: unknown) => client.post(`${adminPath}/${path}`, body, { token });
  const postDict = (path: string, body: object) =>
    client.post(`${dictPath}/${path}`, { type_key: 'article_category', ...body }, { token });

  /** Adds an article and returns it. */
  const add = async (fields: object = {}) =>
    readArticle(await post('add', { title: 'Title', category: 'news', content: '<p>text</p>', ...fields }));

  /** Adds a category. */
  const addCategory = (value: string) => postDict('data/add', { value, name: value });
  return { get, post, postDict, add, addCategory };
}

/** Uses a server's table directly. */
async function useTable<T>(
  server: RunningServer,
  use: (table: DynamoDBDocument, TableName: string) => Promise<T>,
): Promise<T> {
  const { environment } = JSON.parse(readFileSync(join(server.dataDir, 'stack.json'), 'utf8'));
  const client = new DynamoDBClient({
    endpoint: environment.DYNAMODB_ENDPOINT,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  try {
    return await use(DynamoDBDocument.from(client), environment.TABLE_NAME);
  } finally {
    client.destroy();
  }
}

/** The items of an article in a server's table: the article and its content. */
export async function readStored(server: RunningServer, id: string) {
  const { Items = [] } = await useTable(server, (table, TableName) =>
    table.query({
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': `ARTICLE#${id}` },
      ConsistentRead: true,
    }),
  );
  return {
    article: Items.find((item) => item.sk !== '#content'),
    content: Items.find((item) => item.sk === '#content'),
  };
}

/** Stores the content of an article as it is, as an older version of the service did. */
export async function storeContent(server: RunningServer, id: string, content: string): Promise<void> {
  await useTable(server, (table, TableName) =>
    table.update({
      TableName,
      Key: { pk: `ARTICLE#${id}`, sk: '#content' },
      UpdateExpression: 'SET content = :content',
      ExpressionAttributeValues: { ':content': content },
      ConditionExpression: 'attribute_exists(pk)',
    }),
  );
}
