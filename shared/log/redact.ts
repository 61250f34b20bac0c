const redacted = '******';

/** Names of fields whose values are secret. */
const secretName =
  /pass(?:word|phrase)|token|ticket|secret|authori[sz]ation|api_?key|access_?key|captcha|credential|cookie|signature/i;
/** Codes that are sent to users are digits, error codes are words. */
const codeName = /code$/i;
const sentCode = /^\d{4,8}$/;
/** The token counts of a model are not secret. */
const openName = /^(?:input|output)_tokens$/;

/**
 * Parameters of signed URLs, and fields of JSON or forms in a text. The rule does not check the text before a word:
 * that would take quadratic time.
 */
const secretField = new RegExp(
  [
    '((?:signature|token|ticket|secret|password|access_?key_?id|api_?key|credential|appid|sign)',
    String.raw`\\*["']?\s*[=:]\s*)`,
    // In escaped quotes, in quotes, or bare.
    String.raw`(?:(\\+["'])[^"'\\]*|(")[^"\\]*(?:\\[\s\S][^"\\]*)*|(')[^'\\]*(?:\\[\s\S][^'\\]*)*|[^\s"'&,;}]+)`,
  ].join(''),
  'gi',
);

const secretTexts: [pattern: RegExp, replacement: string][] = [
  [/\b(Bearer|Basic) +[\w.~+/=-]+/gi, `$1 ${redacted}`],
  // Access tokens of this service, and keys of model providers.
  [/\bv1\.[\w-]+\.[\w-]+\.[\w-]+/g, redacted],
  [/\bsk-[\w-]{8,}/g, redacted],
  // API tokens, codes and refresh tokens of this service, of every prefix, also incomplete ones (`createApiToken`).
  [/[a-z]{1,16}_[0-9A-HJKMNP-TV-Z]{26}[\w-]*/g, redacted],
  [secretField, `$1$2$3$4${redacted}`],
  [/(?<!\d)((?:00)?(?:86)?1[3-9]\d)\d{4}(\d{4})(?!\d)/g, '$1****$2'],
];

/** A quick test that matches every line that one of the rules above could change. */
const suspicious =
  /pass(?:word|phrase)|token|ticket|secret|authori[sz]ation|key|captcha|credential|cookie|sign|code":"?\d|appid|bearer|basic|v1\.|sk-|_[0-9A-HJKMNP-TV-Z]{26}|(?<!\d)(?:00)?(?:86)?1[3-9]\d{9}(?!\d)/i;

/** Whether a line might hold secrets. */
export const isSuspicious = (line: string): boolean => suspicious.test(line);

/** A text without secrets, tokens and mobiles. */
export const redactText = (text: string): string =>
  secretTexts.reduce((clean, [pattern, replacement]) => clean.replace(pattern, replacement), text);

const deepest = 8;

/** Any value as plain JSON without secrets, tokens and mobiles. Never throws. */
export const redact = (value: unknown): unknown => redactMember(() => value, '', []);

/** @param read a getter may throw */
function redactMember(read: () => unknown, name: string, above: readonly unknown[]): unknown {
  try {
    const value = read();
    if (codeName.test(name) && sentCode.test(String(value))) return redacted;
    if (typeof value === 'string') return isSecret(name) && value !== '' ? redacted : redactText(value);
    if (typeof value === 'bigint') return redactMember(() => String(value), name, above);
    if (value === null || value === undefined || typeof value === 'boolean') return value;
    if (isSecret(name)) return redacted;
    if (typeof value === 'number') return redactNumber(value);
    if (typeof value !== 'object') return `[${typeof value}]`;
    if (above.includes(value)) return '[circular]';
    if (above.length >= deepest) return '[deep]';
    return redactObject(value, [...above, value]);
  } catch {
    return '[unreadable]';
  }
}

const isSecret = (name: string): boolean => secretName.test(name) && !openName.test(name);

function redactNumber(value: number): unknown {
  const text = redactText(String(value));
  return text === String(value) ? value : text;
}

function redactObject(value: object, above: readonly unknown[]): unknown {
  if (value instanceof Date) return value.toJSON();
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.map((each) => redactMember(() => each, '', above));
  const keys = Object.keys(value);
  return Object.fromEntries(
    keys.map((key) => [redactText(key), redactMember(() => Object(value)[key], key, above)]),
  );
}
