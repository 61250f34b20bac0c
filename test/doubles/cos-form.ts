import * as z from 'zod/mini';
import type { UploadForm } from './read-form.ts';
import { type CosKeys, type CosRefusal, verifyCosForm } from './verify-cos.ts';

/** An upload, with its file. */
export type CosForm = Required<UploadForm>;

const refuse = (status: number, code: string, message: string): CosRefusal => ({ status, code, message });

const condition = z.union([
  z.tuple([z.literal('content-length-range'), z.number(), z.number()]),
  z.tuple([z.enum(['eq', 'starts-with']), z.string().check(z.startsWith('$')), z.string()]),
  z.record(z.string(), z.string()),
]);
const policySchema = z.object({
  expiration: z.iso.datetime(),
  conditions: z.array(condition).check(z.minLength(1)),
});
type Condition = z.infer<typeof condition>;

/** Conditions that every policy needs. */
const required = ['q-sign-algorithm', 'q-ak', 'q-sign-time'];

/**
 * Checks a form by its policy (API documentation, "POST Object", signature protection); undefined for a good
 * one. `${filename}` has to be filled in before.
 */
export function checkCosForm(form: CosForm, bucket: string, keys: CosKeys): CosRefusal | undefined {
  const text = Buffer.from(form.fields.get('policy') ?? '', 'base64').toString();
  if (text === '') return refuse(403, 'AccessDenied', 'Access Denied.');
  const refusal = verifyCosForm(form.fields, text, keys);
  if (refusal) return refusal;
  const { data: policy } = policySchema.safeParse(parse(text));
  const given = policy?.conditions.flatMap(toNames) ?? [];
  if (!policy || required.some((name) => !given.includes(name))) {
    return refuse(400, 'InvalidPolicyDocument', 'You must provide condition if you specify a policy.');
  }
  if (keys.now() >= Date.parse(policy.expiration)) {
    return refuse(403, 'AccessDenied', 'You post object request has been expired');
  }
  const values = new Map(form.fields).set('bucket', bucket);
  values.set('q-sign-time', form.fields.get('q-key-time') ?? '');
  return policy.conditions
    .map((one) => checkCondition(one, values, form.file.bytes.length))
    .find((found) => found !== undefined);
}

function checkCondition(
  given: Condition,
  values: ReadonlyMap<string, string>,
  sizeBytes: number,
): CosRefusal | undefined {
  if (!Array.isArray(given)) return findMismatch(Object.entries(given), values, (a, b) => a === b);
  const [kind, first, second] = given;
  if (kind === 'content-length-range') {
    const message = "Condition key content-length-range doesn't match the value";
    if (sizeBytes > second) return refuse(400, 'EntityTooLarge', message);
    return sizeBytes < first ? refuse(400, 'EntityTooSmall', message) : undefined;
  }
  const isMatch = (a: string, b: string) => (kind === 'eq' ? a === b : a.startsWith(b));
  return findMismatch([[first.slice(1), second]], values, isMatch);
}

function findMismatch(
  wanted: [string, string][],
  values: ReadonlyMap<string, string>,
  isMatch: (value: string, wanted: string) => boolean,
): CosRefusal | undefined {
  for (const [name, value] of wanted) {
    const sent = values.get(name);
    if (sent === undefined || !isMatch(sent, value)) {
      return refuse(403, 'AccessDenied', `Condition key ${name} doesn't match the value ${value}`);
    }
  }
  return undefined;
}

function toNames(given: Condition): string[] {
  if (!Array.isArray(given)) return Object.keys(given);
  return typeof given[1] === 'string' ? [given[1].slice(1)] : [];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
