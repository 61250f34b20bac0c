import { randomBytes, type ScryptOptions, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { isEqual } from '#shared/crypto/equal.ts';

/**
 * Cost of new hashes: 32 MiB, one of OWASP's equivalent minimum settings. Parameters of scrypt (RFC 7914): N = 2^ln,
 * block size r, parallelism p.
 */
export const currentCost = { ln: 15, r: 8, p: 3 };

const saltBytes = 16;
const hashBytes = 32;
/** The PHC string format: `$scrypt$ln=15,r=8,p=3$<salt>$<hash>`, base64 without padding. */
const phcPattern = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Hashes a password into a PHC string that records salt and cost. */
export async function hashPassword(password: string, cost = currentCost): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await derive(password, salt, cost);
  return `$scrypt$ln=${cost.ln},r=${cost.r},p=${cost.p}$${encode(salt)}$${encode(hash)}`;
}

/**
 * Checks a password against its hash.
 *
 * @returns `isStale`: the hash has a lower cost than {@link currentCost} and should be replaced
 * @throws Error if `phc` is not a PHC string of scrypt
 */
export async function verifyPassword(
  password: string,
  phc: string,
): Promise<{ isValid: boolean; isStale: boolean }> {
  const match = phcPattern.exec(phc);
  if (!match) throw new Error('a stored password hash is not a PHC string of scrypt');
  const [, ln, r, p, salt = '', hash = ''] = match;
  const cost = { ln: Number(ln), r: Number(r), p: Number(p) };
  const derived = await derive(password, Buffer.from(salt, 'base64'), cost);
  const isStale = cost.ln < currentCost.ln || cost.r < currentCost.r || cost.p < currentCost.p;
  return { isValid: isEqual(encode(derived), hash), isStale };
}

/** Takes as long as a real check, for accounts that do not exist. Never valid. */
export async function verifyNothing(password: string): Promise<{ isValid: false; isStale: false }> {
  await derive(password, Buffer.alloc(saltBytes), currentCost);
  return { isValid: false, isStale: false };
}

function derive(password: string, salt: Buffer, { ln, r, p }: typeof currentCost): Promise<Buffer> {
  const N = 2 ** ln;
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r };
  // Keyboards encode the same characters in different ways; NFKC makes them equal.
  return promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)(
    password.normalize('NFKC'),
    salt,
    hashBytes,
    options,
  );
}

const encode = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');
