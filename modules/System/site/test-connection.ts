import { runWithin } from '#shared/async/run-within.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { redactText } from '#shared/log/redact.ts';
import type { ConfigGroup } from '#shared/settings/group.ts';
import { fillValues } from '#shared/settings/store.ts';
import type { StorageEngine } from '#shared/storage/engine.ts';
import { listMissing } from '#shared/storage/engines/cloud-settings.ts';
import { type EngineName, engineNames, engines } from '#shared/storage/engines.ts';
import { createObjectPath } from '#shared/storage/naming/object-path.ts';
import { ai } from '../assistant/settings.ts';
import { neededByProvider, testProvider } from '../assistant/test-provider.ts';

/** Groups of settings whose connection can be tested: storage engines with settings, and the AI provider. */
export const testableGroups: string[] = [...engineNames.filter((name) => engines[name].settings), ai.name];

/** Time to record what the AI provider used, in milliseconds. */
const recordMs = 1000;

/** What a test does, in order. */
export const testSteps = ['open', 'put', 'read', 'delete', 'ask'] as const;
type TestStep = (typeof testSteps)[number];

interface Test {
  group: ConfigGroup;
  /** Checked settings of the group. */
  settings: Record<string, unknown>;
  adminId: string;
  /** Longest time of the test. */
  limitMs: number;
}

/**
 * Tries settings with the real service: a storage engine writes, reads and deletes a small object; the AI provider
 * answers a short request.
 *
 * @returns the step that failed, with a reason that holds no secret; nulls if all went well
 * @throws AppError `request.invalid` if a needed setting is empty
 */
export async function testConnection(test: Test): Promise<{ step: TestStep | null; detail: string | null }> {
  const { group, settings, limitMs } = test;
  assertComplete(group, settings);
  let step: TestStep = 'open';
  const expire = () => new Error(`no end within ${limitMs} ms`);
  try {
    await runWithin(limitMs, expire, () =>
      run(test, (next) => {
        step = next;
      }),
    );
    return { step: null, detail: null };
  } catch (error) {
    return { step, detail: describeFailure(error, listSecrets(group, settings)) };
  }
}

/** @throws AppError `request.invalid` with the settings that are empty */
function assertComplete(group: ConfigGroup, settings: Record<string, unknown>): void {
  const engine = findEngine(group)?.settings;
  const missing = engine
    ? listMissing(engine, settings)
    : neededByProvider.filter((name) => settings[name] === '');
  const errors = missing.map((name) => ({ path: `body.values.${name}`, message: 'rule.needed_setting' }));
  if (errors.length > 0) throw new AppError('request.invalid', { errors });
}

const findEngine = ({ name }: ConfigGroup) => {
  const found = engineNames.find((each): each is EngineName => each === name);
  return found && engines[found];
};

async function run({ group, settings, adminId, limitMs }: Test, begin: (step: TestStep) => void) {
  const engine = findEngine(group);
  // Each of up to five calls has a part of the time, so that the object is deleted within it.
  if (engine?.openWith) return tryEngine(await engine.openWith(settings, { timeoutMs: limitMs / 5 }), begin);
  begin('ask');
  return testProvider(fillValues(ai, settings), adminId, limitMs - recordMs);
}

async function tryEngine(engine: StorageEngine, begin: (step: TestStep) => void): Promise<void> {
  const key = createObjectPath({ type: 'file', ext: 'txt' });
  const bytes = Buffer.from('A connection test. It can be deleted.');
  try {
    begin('put');
    await engine.put(key, bytes, 'text/plain');
    begin('read');
    const read = await engine.readRange(key, 0, bytes.length);
    if (!bytes.equals(read)) throw new Error('the object that was read is not the one that was written');
  } catch (error) {
    // A write may have succeeded without an answer. The first failure is the one to report.
    await engine.delete(key).catch(() => {});
    throw error;
  }
  begin('delete');
  await engine.delete(key);
}

const listSecrets = ({ keys }: ConfigGroup, settings: Record<string, unknown>): string[] =>
  Object.entries(keys).flatMap(([name, { secret }]) =>
    secret && settings[name] ? [String(settings[name])] : [],
  );

const longestDetail = 300;

/** One line without secrets: services quote requests in their messages. */
function describeFailure(error: unknown, secrets: readonly string[]): string {
  const cause = Object(error).cause ?? error;
  const { status, code, message } = Object(cause);
  // An error of a storage SDK: its message is the service's own text.
  const isAnswer = Number(status) > 0 && /^[A-Za-z.]{1,64}$/.test(String(code));
  const text = isAnswer ? `status ${status}, ${code}` : String(message);
  const clean = secrets.reduce((rest, secret) => rest.replaceAll(secret, '******'), text);
  return redactText(clean)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .slice(0, longestDetail);
}
