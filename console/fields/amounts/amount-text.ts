/** Digits after the point in a currency: 2 in CNY, 0 in JPY. @param currency as in ISO 4217 */
const digitsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;

/** The smallest units of a typed amount, with a point or comma; other words as they are. */
export function readAmount(typed: string, currency: string): number | string {
  const text = typed.trim().replace(',', '.');
  const digits = digitsOf(currency);
  const [, whole = '', part = ''] = /^(\d{1,13})(?:\.(\d*))?$/.exec(text) ?? [];
  return whole === '' || part.length > digits ? text : Number(whole + part.padEnd(digits, '0'));
}

/** An amount of smallest units as it is typed; other values as they are. */
export function writeAmount(held: unknown, currency: string): string {
  if (typeof held !== 'number') return String(held ?? '');
  const digits = digitsOf(currency);
  return (held / 10 ** digits).toFixed(digits);
}

/** An amount with its currency: `CN¥19.99`. */
export const formatAmount = (held: number, currency: string): string =>
  `${currency} ${writeAmount(held, currency).replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ',')}`;
