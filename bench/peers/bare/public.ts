import { readPublicDict } from '../jobs/read-dict.ts';
import { answer } from './answer.ts';
import { toTypeKeys } from './checks.ts';

export const handler = answer(({ queryStringParameters }) =>
  readPublicDict(toTypeKeys(queryStringParameters?.type)),
);
