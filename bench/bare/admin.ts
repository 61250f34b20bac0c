import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Invocation } from '../event.ts';
import { readCached, render } from './read-dict.ts';

const tokenKey = Buffer.from(process.env.BARE_TOKEN_KEY ?? '', 'base64');
const idleSeconds = 8 * 3600;

interface Session {
  epoch: number;
  lastSeenAt: number;
}
interface Principal {
  principal: { status: string };
  sessionEpoch: number;
}

/** The administrators' read of dictionaries, written down without a framework. */
export async function handler(event: Invocation['event'], context: Invocation['context']) {
  const [sessionId, adminId] = verify(event.headers.authorization ?? '');
  const typeKeys = event.queryStringParameters?.type?.split(',') ?? [];
  const { found, dicts } = await readCached<Session & Principal>(
    [
      [`service:session:${sessionId}`, `service:session-generation:${sessionId}`],
      [`service:principal:admin:${adminId}`, `service:principal-generation:admin:${adminId}`],
    ],
    typeKeys,
  );
  const [session, state] = found;
  if (state?.principal.status !== 'enabled' || session?.epoch !== state.sessionEpoch) throw new Error('401');
  if (Date.now() / 1000 - session.lastSeenAt > idleSeconds) throw new Error('401');
  return render(typeKeys, dicts, false, context.awsRequestId);
}

function verify(header: string): [sessionId: string, adminId: string] {
  const [version, keyId, payload = '', signature = ''] = header.replace(/^Bearer /, '').split('.');
  const mac = createHmac('sha256', tokenKey).update(`${version}.${keyId}.${payload}`).digest();
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== mac.length || !timingSafeEqual(given, mac)) throw new Error('401');
  const [sessionId, kind, adminId, expiresAt] = JSON.parse(Buffer.from(payload, 'base64url').toString());
  if (kind !== 'admin' || expiresAt <= Date.now() / 1000) throw new Error('401');
  return [sessionId, adminId];
}
