import { readAdminDict } from '../jobs/read-dict.ts';
import { answer } from './answer.ts';

export const handler = answer(({ headers, queryStringParameters }) =>
  readAdminDict(headers.authorization, queryStringParameters?.type),
);
