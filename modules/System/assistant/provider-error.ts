/** A provider that answered, but nothing to work with. Its message never quotes what it sent. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
}

/**
 * The failure that a status other than 200 stands for, with the provider's code for it where that is a word;
 * messages are left out, since some repeat the key or the conversation.
 *
 * @param secret what the code must not hold
 */
export function toProviderError(status: number, body: unknown, secret: string): ProviderError {
  const { code, type } = Object(Object(body).error);
  const word = [code, type].find(
    (value) => typeof value === 'string' && /^[a-z][a-z0-9_.-]{0,63}$/.test(value) && !value.includes(secret),
  );
  return new ProviderError(`the provider answered ${status}${word === undefined ? '' : ` (${word})`}`);
}
