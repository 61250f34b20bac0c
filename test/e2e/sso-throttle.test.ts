import { expect, test } from '@jest/globals';
import { useFunctions } from '../support/use-functions.ts';

// Guesses of an address are limited, as those of a login.

const { client } = useFunctions({ environment: { THROTTLE_FACTOR: '1' }, login: false });
const login = '/adminapi/system/login';

test.each([
  ['invitation', { invitation: `admin.${'A'.repeat(32)}`, password: 'a long password' }, 10, 401],
  ['sso', { flow: 'invented', state: 'x', code: 'x' }, 20, 401],
])('%s is refused after %j, %i times in a minute', async (path, body, limit, status) => {
  const answers = [];
  for (let tries = 0; tries <= limit; tries += 1) answers.push(await client.post(`${login}/${path}`, body));

  expect(answers.slice(0, limit).map((answer) => answer.status)).toEqual(Array(limit).fill(status));
  expect(answers.at(-1)).toMatchObject({ status: 429, code: 'throttle.exceeded' });
  // The two routes of a login at the provider count together.
  if (path === 'sso')
    expect(await client.post(`${login}/ssoStart`, { purpose: 'login' })).toMatchObject({ status: 429 });
});
