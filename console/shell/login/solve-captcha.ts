import { type Challenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';

/** Solves a proof-of-work challenge: about 256 tries, a second or two. @returns the payload that the service checks */
export async function solve(challenge: object): Promise<string> {
  if (!isChallenge(challenge)) throw new Error('the service sent no ALTCHA challenge');
  const solution = await solveChallenge({ challenge, deriveKey });
  return btoa(JSON.stringify({ challenge, solution }));
}

const isChallenge = (value: object): value is Challenge => 'parameters' in value;
