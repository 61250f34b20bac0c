import { ConditionError } from '#shared/db/errors.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { ClaimTakenError } from './create-user.ts';
import { enter, enterFirst } from './enter.ts';
import { findProvenUser, type Proof } from './proof.ts';
import type { UserLogin } from './schema.ts';
import type { Terminal } from './terminal.ts';

/** How often a login is decided anew because what it was decided upon changed meanwhile. */
const tries = 5;

/**
 * Logs in whoever a proof stands for; the first use creates the user. However many first uses come at once,
 * one creates the user and the others log in.
 *
 * @param finding the search for the user where it has begun already
 * @throws AppError `auth.principal_disabled`; `auth.code_invalid` when the credential was used up meanwhile;
 *   `version_conflict` when the user changes all the time
 */
export async function logInProven(
  proof: Proof,
  terminal: Terminal,
  finding = findProvenUser(proof),
): Promise<UserLogin> {
  const { spend } = proof;
  let found = await finding;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { user, unbound } = found;
      const entry = { terminal, spend, unbound };
      return user ? await enter(user, entry) : await enterFirst(entry);
    } catch (error) {
      const cause = toRace(error);
      if (spend && cause.failed.includes(0)) throw new AppError('auth.code_invalid', { cause });
      if (attempt === tries) throw new AppError('version_conflict', { cause });
    }
    found = await findProvenUser(proof);
  }
}

/** What somebody else's write at the same time came before; every other error is thrown on. */
function toRace(error: unknown): { failed: readonly number[] } {
  if (error instanceof ConditionError) return error;
  if (error instanceof ClaimTakenError) return { failed: [] };
  throw error;
}
