import { OssRefusal } from './oss-refusal.ts';
import type { OssGateway } from './verify-oss.ts';
import { policyRefusal, verifyOssForm } from './verify-oss-form.ts';

/** The values that a policy checks. */
export interface OssPost {
  bucket: string;
  /** By names in lower case. */
  fields: Map<string, string>;
  sizeBytes: number;
}

/** Fields of version 4 that a policy has to name. */
const version4Fields = ['x-oss-signature-version', 'x-oss-credential', 'x-oss-date'];

/**
 * Checks the signed policy of a form (help.aliyun.com, "PostObject", "Appendix: Policy"). Fields that it does not
 * name pass, but for those of version 4.
 *
 * @throws OssRefusal if the form violates it
 */
export function checkOssPolicy(post: OssPost, gateway: OssGateway): void {
  const { fields } = post;
  const { policy, isVersion4 } = verifyOssForm(fields, gateway);
  const { expiration, conditions } = readPolicy(policy);
  if (gateway.now() >= expiration) throw policyRefusal('Policy expired.', '0006-00000225');
  const named = new Set<string>();
  for (const condition of conditions) named.add(checkCondition(condition, post));
  const extra = isVersion4 ? version4Fields.find((name) => !named.has(name)) : undefined;
  if (extra) throw policyRefusal(`Extra input fields: ${extra}`, '0006-00000228');
}

function readPolicy(policy: string): { expiration: number; conditions: unknown[] } {
  const invalid = () => new OssRefusal(400, 'InvalidPolicyDocument', 'Invalid Policy.', '0006-00000209');
  let read: unknown;
  try {
    read = JSON.parse(Buffer.from(policy, 'base64').toString());
  } catch {
    throw invalid();
  }
  if (typeof read !== 'object' || read === null || !('expiration' in read) || !('conditions' in read))
    throw invalid();
  const { expiration, conditions, ...others } = read;
  const isTime =
    typeof expiration === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(expiration);
  if (!isTime || !Array.isArray(conditions) || Object.keys(others).length > 0) throw invalid();
  return { expiration: Date.parse(expiration), conditions };
}

/** Judges one condition; answers the name of the field that it is about. */
function checkCondition(condition: unknown, post: OssPost): string {
  const [mode, ...operands] = toList(condition);
  if (mode === 'content-length-range') {
    const [least, most] = operands.map(Number);
    const limits = `the range [${least}, ${most}]`;
    if (post.sizeBytes < Number(least))
      throw new OssRefusal(400, 'EntityTooSmall', `The size is below ${limits}.`);
    if (!(post.sizeBytes <= Number(most)))
      throw new OssRefusal(400, 'EntityTooLarge', `The size is above ${limits}.`);
    return mode;
  }
  const [variable, expected] = operands;
  const name = String(variable).replace(/^\$/, '').toLowerCase();
  const value = name === 'bucket' ? post.bucket : post.fields.get(name);
  const text = JSON.stringify(condition);
  if (value === undefined) throw policyRefusal(`Policy Condition failed: ${text}`, '0006-00000226');
  if (!matches(String(mode), value, expected))
    throw policyRefusal(`Policy Condition failed: ${text}`, '0006-00000227');
  return name;
}

/** `{ name: value }` is short for an exact match. */
function toList(condition: unknown): unknown[] {
  if (Array.isArray(condition)) return condition;
  const [entry, ...others] = Object.entries(Object(condition));
  if (!entry || others.length > 0) {
    throw new OssRefusal(
      400,
      'InvalidPolicyDocument',
      'Invalid Policy: a condition is no pair.',
      '0006-00000222',
    );
  }
  return ['eq', `$${entry[0]}`, entry[1]];
}

function matches(mode: string, value: string, expected: unknown): boolean {
  if (mode === 'eq') return value === expected;
  if (mode === 'starts-with') return typeof expected === 'string' && value.startsWith(expected);
  const isListed = Array.isArray(expected) && expected.includes(value);
  if (mode === 'in') return isListed;
  if (mode === 'not-in') return !isListed;
  throw new OssRefusal(400, 'InvalidPolicyDocument', 'Invalid Policy: unknown match mode.', '0006-00000217');
}
