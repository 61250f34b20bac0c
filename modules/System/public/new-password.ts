import { AppError } from '#shared/errors/app-error.ts';

/**
 * Refuses a password that is easy to guess. Called where one is set, and not by `addAdmin` and its neighbours: functions
 * that only change names or roles would have to hold the list of common passwords. Logins with older passwords go on.
 *
 * @param name the account or mobile of its owner, if there is one
 * @throws AppError `request.invalid` for `body.password`
 */
export async function assertNewPassword(password: string, name?: string): Promise<void> {
  const message = await findPasswordFault(password, name);
  if (message) throw new AppError('request.invalid', { errors: [{ path: 'body.password', message }] });
}

/** The message about a password that is easy to guess; undefined if it is not. */
export async function findPasswordFault(password: string, name = ''): Promise<string | undefined> {
  const text = fold(password);
  // A letter may be folded by its neighbours, as the last Σ of a word: then folded units differ.
  if (isRepeated(text) || isRepeated(password)) return 'rule.password_repeated';
  if (isNameOnly(text, fold(name))) return 'rule.password_name';
  return (await isCommon(text.trim())) ? 'rule.password_common' : undefined;
}

/** Hashes treat these characters as equal (NFKC); guesses begin with lowercase. */
const fold = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Whether a text is one unit again and again, of which the last may be cut: `aaaaaaaa`, `12121212`, `abcabcab`. */
function isRepeated(text: string): boolean {
  for (let unit = 1; unit * 2 <= text.length; unit += 1) if (text.startsWith(text.slice(unit))) return true;
  return false;
}

/** Shortest beginning of a name that is compared without its digits: `root` of `root2`. */
const shortestCore = 3;

/** Whether a text is the name with nothing but digits and punctuation around it. */
function isNameOnly(text: string, name: string): boolean {
  const core = name.replace(/^\P{L}+|\P{L}+$/gu, '');
  const names = [name, ...(core.length >= shortestCore ? [core] : [])];
  return names.some((each) => each && text.includes(each) && !/\p{L}/u.test(text.replaceAll(each, '')));
}

// Loaded on first use: it has 50,000 passwords.
async function isCommon(text: string): Promise<boolean> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return dictionary['passwords-common'].includes(text);
}
