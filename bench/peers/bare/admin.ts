import { readAdminDict } from '../jobs/read-dict.ts';
import { answer } from './answer.ts';
import { toTypeKeys } from './checks.ts';

export const handler = answer(({ headers, queryStringParameters }) =>
  readAdminDict(headers.authorization, toTypeKeys(queryStringParameters?.type)),
);
