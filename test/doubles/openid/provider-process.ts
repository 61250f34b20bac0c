import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

// An OpenID provider of its own process, by the package `oidc-provider`: every name may log in, without a password.

const { issuer, clients } = JSON.parse(process.argv[2] ?? '{}');
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ttlSeconds = 3600;

const provider = new Provider(issuer, {
  clients,
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'first', use: 'sig', alg: 'RS256' }] },
  cookies: { keys: ['test'] },
  claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
  conformIdTokenClaims: false,
  findAccount: (_context: unknown, id: string) => ({
    accountId: id,
    claims: () => ({ sub: id, name: `Name of ${id}`, email: `${id}@example.com`, email_verified: true }),
  }),
  // There is no question about consent.
  async loadExistingGrant(context: { oidc: Record<'session' | 'client', Record<string, string>> }) {
    const { session, client } = context.oidc;
    const grant = new provider.Grant({
      accountId: session.accountId ?? '',
      clientId: client.clientId ?? '',
    });
    grant.addOIDCScope('openid profile email');
    await grant.save();
    return grant;
  },
  ttl: Object.fromEntries(
    ['AccessToken', 'AuthorizationCode', 'Grant', 'IdToken', 'Interaction', 'Session'].map((name) => [
      name,
      ttlSeconds,
    ]),
  ),
});
// A proxy stands before it.
provider.proxy = true;

const server = createServer(provider.callback());
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening ${(server.address() as AddressInfo).port}\n`);
});
// It ends with the tests.
process.stdin.on('end', () => process.exit()).resume();
