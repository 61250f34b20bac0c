import { listFiles } from '../jobs/list-files.ts';
import { answer } from './answer.ts';

export const handler = answer(({ headers, queryStringParameters }) =>
  listFiles(headers.authorization, queryStringParameters),
);
