import '../../../../support/environment.ts';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { checkRequest, readScopes } from '#modules/System/oauth/authorization.ts';
import { authorizeParameters, createPkce } from '../../../../support/oauth.ts';

const good = () => authorizeParameters('client', 'https://app.example/', createPkce().challenge);
const codeOf = (change: object) => {
  try {
    checkRequest({ ...good(), ...change });
    return 'done';
  } catch (error) {
    const { code, errors } = Object(error);
    return [code, ...(errors ?? []).map(({ path }: { path: string }) => path)].join(' ');
  }
};

describe('a request to connect', () => {
  test('asks for the scopes that it names, or for reading', () => {
    expect(checkRequest({ ...good(), scope: 'mcp:read' }).scopes).toEqual(['mcp:read']);
    expect(checkRequest({ ...good(), scope: 'mcp:write  mcp:write' }).scopes).toEqual(['mcp:write']);
    expect(checkRequest({ ...good(), scope: undefined }).scopes).toEqual(['mcp:read']);
    expect(checkRequest({ ...good(), scope: '' }).scopes).toEqual(['mcp:read']);
  });

  test.each([
    [{ response_type: undefined }, 'oauth.invalid_request response_type'],
    [{ response_type: 'token' }, 'oauth.unsupported_response_type'],
    [{ response_type: 'code token' }, 'oauth.unsupported_response_type'],
    [{ code_challenge: undefined }, 'oauth.invalid_request code_challenge'],
    [{ code_challenge_method: undefined }, 'oauth.invalid_request code_challenge_method'],
    [{ code_challenge_method: 'plain' }, 'oauth.invalid_request code_challenge_method'],
    [{ code_challenge_method: 's256' }, 'oauth.invalid_request code_challenge_method'],
    [{ resource: undefined }, 'oauth.invalid_target'],
    [{ resource: 'http://localhost:3000' }, 'oauth.invalid_target'],
    [{ resource: 'http://localhost:3000/mcp/service/' }, 'oauth.invalid_target'],
    [{ resource: 'http://LOCALHOST:3000/mcp/service' }, 'oauth.invalid_target'],
    [{ resource: 'https://localhost:3000/mcp/service' }, 'oauth.invalid_target'],
    [{ scope: 'mcp:admin' }, 'oauth.invalid_scope'],
    [{ scope: 'mcp:read mcp:admin' }, 'oauth.invalid_scope'],
    [{ scope: 'MCP:READ' }, 'oauth.invalid_scope'],
    [{ scope: ' ' }, 'oauth.invalid_scope'],
  ])('is refused with %j', (change, code) => {
    expect(codeOf(change)).toBe(code);
  });

  test('needs exactly the 43 characters of a SHA-256 hash as challenge', () => {
    const letters = fc.constantFrom(...'ABab01-_');
    const challenge = fc.string({ unit: letters, minLength: 40, maxLength: 46 });
    fc.assert(
      fc.property(challenge, fc.constantFrom('', '=', '+', '/', '\n', ' '), (text, tail) => {
        const isGood = text.length === 43 && tail === '';
        expect(codeOf({ code_challenge: text + tail })).toBe(
          isGood ? 'done' : 'oauth.invalid_request code_challenge',
        );
      }),
    );
  });

  test('is accepted with known scopes only, in any order', () => {
    const name = fc.constantFrom('mcp:read', 'mcp:write', 'mcp:reads', 'openid', 'mcp', '');
    fc.assert(
      fc.property(fc.array(name, { minLength: 1 }), (names) => {
        const asked = names.filter((each) => each !== '');
        const isGood = asked.length > 0 && asked.every((each) => ['mcp:read', 'mcp:write'].includes(each));
        const scope = names.join(' ');
        const outcome = codeOf({ scope });
        expect(outcome).toBe(isGood || scope === '' ? 'done' : 'oauth.invalid_scope');
        if (isGood) expect(new Set(readScopes(scope))).toEqual(new Set(asked));
      }),
    );
  });
});
