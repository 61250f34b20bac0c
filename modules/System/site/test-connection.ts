import { runWithin } from '#shared/async/run-within.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { redactText } from '#shared/log/redact.ts';
import { exchange } from '#shared/net/exchange.ts';
import type { ConfigGroup } from '#shared/settings/group.ts';
import { fillValues } from '#shared/settings/store.ts';
import type { StorageEngine } from '#shared/storage/engine.ts';
import { fillFromDeployment, listMissing } from '#shared/storage/engines/cloud-settings.ts';
import { type EngineName, engineNames, engines } from '#shared/storage/engines.ts';
import { createObjectPath } from '#shared/storage/naming/object-path.ts';
import { signLink } from '#shared/storage/private-files.ts';
import { ai } from '../assistant/settings.ts';
import { neededByProvider, testProvider } from '../assistant/test-provider.ts';

/** Groups of settings whose connection can be tested: storage engines with settings, and the AI provider. */
export const testableGroups: string[] = [...engineNames.filter((name) => engines[name].settings), ai.name];

/** Time to record what the AI provider used, in milliseconds. */
const recordMs = 1000;

/** What a test does, in order. */
export const testSteps = ['open', 'put', 'read', 'delete', 'private', 'ask'] as const;
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
 * Tries settings with the real service: a storage engine writes, reads and deletes a small object, also a private one if
 * it has a bucket for these, which must not be readable without a signature; the AI provider answers a short request.
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
  if (engine?.openWith) {
    const hasPrivate = Boolean(
      engine.settings && fillFromDeployment(engine.settings, settings).private_bucket,
    );
    // Each of up to five calls, and as many for a private object, has a part of the time, so that the objects are deleted
    // within it.
    const timeoutMs = limitMs / (hasPrivate ? 11 : 5);
    const opened = await engine.openWith(settings, { timeoutMs });
    await tryEngine(opened, begin);
    if (hasPrivate) {
      begin('private');
      await tryPrivate(opened, timeoutMs);
    }
    return;
  }
  begin('ask');
  return testProvider(fillValues(ai, settings), adminId, limitMs - recordMs);
}

/** @throws Error if a private object is not stored, or can be read without a signature */
async function tryPrivate(engine: StorageEngine, timeoutMs: number): Promise<void> {
  const [key, open] = (['private', 'public'] as const).map((visibility) =>
    createObjectPath({ type: 'file', ext: 'txt', visibility }),
  ) as [string, string];
  await tryEngine(
    engine,
    () => {},
    key,
    async () => {
      const expiresAt = Math.floor(Date.now() / 1000) + 60;
      const link = await signLink(engine, key, { expiresAt, name: 'test.txt' });
      const publicly = String(engine.publicUrl(open)).replace(open, key);
      for (const url of [link.replace(/\?.*/s, ''), publicly]) {
        const { status } = await exchange({ url, timeoutMs, maxBytes: 65_536, isCut: true });
        if (status < 300) throw new Error(`everybody can read private files at ${new URL(url).host}`);
      }
    },
  );
}

/** @param look runs while the object is stored */
async function tryEngine(
  engine: StorageEngine,
  begin: (step: TestStep) => void,
  key = createObjectPath({ type: 'file', ext: 'txt' }),
  look = async () => {},
): Promise<void> {
  const bytes = Buffer.from('A connection test. It can be deleted.');
  try {
    begin('put');
    await engine.put(key, bytes, 'text/plain');
    begin('read');
    const read = await engine.readRange(key, 0, bytes.length);
    if (!bytes.equals(read)) throw new Error('the object that was read is not the one that was written');
    await look();
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
