import { readPublicDict } from '../jobs/read-dict.ts';
import { answer } from './answer.ts';

export const handler = answer(({ queryStringParameters }) => readPublicDict(queryStringParameters?.type));
