const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The last character with its lowest bit turned: a lenient decoder reads the same bytes from it. */
function turnLastBit(token: string): string {
  const index = alphabet.indexOf(token.at(-1) ?? '');
  return token.slice(0, -1) + (alphabet[index ^ 1] ?? '=');
}

const ways: ((token: string) => string)[] = [
  (token) => `${token}=`,
  (token) => `${token}A`,
  (token) => `${token}!`,
  (token) => `${token.slice(0, 5)}*${token.slice(5)}`,
  turnLastBit,
  (token) => `${token}.`,
];

/** How many other spellings {@link respell} knows. */
export const respellings = ways.length;

/**
 * Writes a token in a way that its issuer does not. A decoder that ignores what it does
 * not know reads the same token from most of them.
 *
 * @param way from 0 to {@link respellings} - 1
 */
export const respell = (token: string, way: number): string => (ways[way] ?? turnLastBit)(token);
