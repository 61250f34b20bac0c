import { listFiles } from '../jobs/list-files.ts';
import { answer } from './answer.ts';
import { toListQuery } from './checks.ts';

export const handler = answer(({ headers, queryStringParameters }) =>
  listFiles(headers.authorization, toListQuery(queryStringParameters)),
);
