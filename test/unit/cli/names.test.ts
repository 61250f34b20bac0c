import { expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { createNames } from '#cli/templates/names.ts';
import { typeKey } from '#shared/dict/read-schema.ts';

test.each([
  ['Shop', { prefix: 'shop', codes: 'shop', title: 'Shop', kindType: 'shop_kind' }],
  [
    'UserCenter',
    { prefix: 'user-center', codes: 'user_center', title: 'User center', kindType: 'user_center_kind' },
  ],
  ['AIChat', { prefix: 'ai-chat', codes: 'ai_chat', title: 'Ai chat', kindType: 'ai_chat_kind' }],
  ['Web3AI', { prefix: 'web3-ai', codes: 'web3_ai', title: 'Web3 ai', kindType: 'web_three_ai_kind' }],
  ['A10', { prefix: 'a10', codes: 'a10', title: 'A10', kindType: 'a_one_zero_kind' }],
])('derives the names of a new module %s', (name, names) => {
  expect(createNames(name)).toEqual({ name, ...names });
  expect(z.safeParse(typeKey, names.kindType).success).toBe(true);
});
