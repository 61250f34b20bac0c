import { describe, expect, test } from '@jest/globals';
import { createRoleHolder } from '../support/role-holder.ts';
import { useFunctions } from '../support/use-functions.ts';

const save = 'system/setting/config/save';
const { client } = useFunctions();

/** What a holder of a grant gets who saves a setting. */
async function trySave(grant: string, body: object | string): Promise<string> {
  // Some grants cover nothing: no role is saved with them.
  const authorization = await (await createRoleHolder([grant])).logIn();
  const { status, code, errors } = await client.post(`/adminapi/${save}`, body, {
    headers: { authorization },
  });
  return [status, code, errors[0]?.path ?? ''].join(' ').trim();
}

const ai = { group: 'ai', values: { model: 'some-model' } };
const login = { group: 'login', values: { captcha_enabled: false } };

describe('settings', () => {
  test('are saved by group, for a right to that group', async () => {
    const grant = `${save}/ai:write`;

    expect(await trySave(grant, ai)).toBe('200 ok');
    expect(await trySave(grant, login)).toBe(`403 auth.permission_denied ${save}/login:write`);
  });

  test.each([`${save}:write`, 'system/setting/config:write'])(
    'of every group are saved with %s',
    async (grant) => {
      expect(await trySave(grant, ai)).toBe('200 ok');
      expect(await trySave(grant, login)).toBe('200 ok');
    },
  );

  test.each([`${save}/ai:read`, 'system/setting:write', 'system:write', 'system/role:write'])(
    'are not saved with %s',
    async (grant) => {
      expect(await trySave(grant, ai)).toBe(`403 auth.permission_denied ${save}:write`);
    },
  );

  test('of a group that does not exist need the right to all of them', async () => {
    const body = { group: 'nothing/at-all', values: {} };

    expect(await trySave(`${save}/ai:write`, body)).toBe(`403 auth.permission_denied ${save}:write`);
    expect(await trySave(`${save}:write`, body)).toBe('422 config.unknown_key body.group');
  });

  test('are refused before the body is read, if no group is granted', async () => {
    expect(await trySave('system/role:write', '{"broken')).toBe(`403 auth.permission_denied ${save}:write`);
    expect(await trySave(`${save}/ai:write`, '{"broken')).toBe('400 request.malformed');
  });
});
