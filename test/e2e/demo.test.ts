import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createTempDir, projectRoot } from '../support/local-server.ts';
import { copyProject } from '../support/project-copy.ts';
import { runService, shellEnvironment } from '../support/run-service.ts';
import { scanItems } from '../support/table.ts';
import { useServer } from '../support/use-server.ts';

// `demo` and `demo --remove`, in this order on one installation.

const copy = copyProject();
let before: Awaited<ReturnType<typeof readState>>;
/** What the first run has printed. */
let printed: string;
/** An article of the operator. */
let ownArticle: string;

/** For the command, on a busy machine. */
const timeoutMs = 300_000;

const demo = (...args: string[]) => runService(projectRoot, { DATA_DIR: server.dataDir }, 'demo', ...args);
/** The command in a copy of the project that has one more module. */
const demoWithLab = (...args: string[]) =>
  runService(copy.root, { DATA_DIR: server.dataDir }, 'demo', ...args);
const call = (path: string, body: unknown) => admin.post(`/adminapi/${path}`, body);
const listAll = async (path: string): Promise<Record<string, unknown>[]> => {
  const { data } = await admin.get(`/adminapi/${path}`);
  return data.list;
};
const addArticle = async (category: string): Promise<string> => {
  const { data } = await call('article/article/add', { title: 'Own', category, content: '<p>Own</p>' });
  return data.id;
};

/** What may differ: runs of jobs; the log, which only grows; what operators have replaced; sessions of this test; when the command ran. */
const excepted = /^(?:JOB|AUDIT|AUDIT_DIGEST|AUDIT_COUNT|REVISION|SESSION|DEMO_RUN)(?:#|$)/;
/** Counters, which stay with the count 0; several items may be one counter. */
const counter = /^(?:COUNTER#|USAGE#|AI_USAGE |FILE_CATEGORY #total$)/;

/** The table without the exceptions, the sums of counters that are not 0, and the stored files. */
async function readState() {
  const items = (await scanItems(server)).filter(({ pk }) => !excepted.test(String(pk)));
  const isCounter = ({ pk, sk }: Record<string, unknown>) => counter.test(`${pk} ${sk}`);
  const sums: Record<string, number> = {};
  for (const { pk, sk, ...counts } of items.filter(isCounter)) {
    const place =
      pk === sk ? String(pk).replace(/#\d+$/, '') : `${pk} ${String(pk).startsWith('COUNTER') ? '' : sk}`;
    for (const [name, count] of Object.entries(counts)) {
      sums[`${place} ${name}`] = (sums[`${place} ${name}`] ?? 0) + Number(count);
    }
  }
  return {
    items: new Map(items.filter((item) => !isCounter(item)).map((item) => [`${item.pk} ${item.sk}`, item])),
    sums: Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0)),
    files: readdirSync(join(server.dataDir, 'storage'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort(),
  };
}

const { server, client, admin } = useServer();

beforeAll(async () => {
  ownArticle = await addArticle('news');
  before = await readState();
  const result = await demo();
  expect(result).toMatchObject({ code: 0, complaint: '' });
  printed = result.printed;
}, timeoutMs);
const labModule = `
  import { defineModule } from '#shared/module/module.ts';
  const title = { zh_CN: '实验', en: 'Lab' };
  export default defineModule({ name: 'Lab', title, version: '1.0.0', requires: ['System'] });
`;
const labDemo = `
  import { findDemoAdmin } from '#modules/System/public/demo.ts';
  import { addDictType, deleteDictType } from '#shared/dict/types.ts';
  import { defineDemo } from '#shared/module/demo.ts';
  const type = { type_key: 'lab_colour', name: 'Colours', enabled: true };
  export default defineDemo({
    async fill(run) {
      run.print('Hello, ' + (await findDemoAdmin(run, 'demo-editor')).account);
      await run.add('lab_colours', 'red', () => addDictType(type));
    },
    remove: { lab_colours: ({ id }) => deleteDictType(id) },
  });
`;

describe('demo', () => {
  test('says what each module has added', () => {
    expect(printed).toMatch(/^Added by System: .*2 administrators.*14 files.*3 api tokens$/m);
    expect(printed).toMatch(/^Added by Article: .*30 articles$/m);
    expect(printed).toMatch(/^Added by UserCenter: 60 users/m);
  });

  test('prints accounts that can log in, each with a password of its own', async () => {
    const accounts = [
      ...printed.matchAll(/^Administrator: account (\S+), password (\S+) \(shown this once\)$/gm),
    ];
    expect(accounts.map(([, account]) => account)).toEqual(['demo-editor', 'demo-auditor']);
    expect(new Set(accounts.map(([, , password]) => password)).size).toBe(2);

    for (const [, account, password] of accounts) {
      const { code, data } = await client.post('/adminapi/system/login/account', { account, password });
      expect({ code, data }).toMatchObject({ code: 'ok', data: { admin: { account, super: false } } });
    }
  });

  test('keeps no revisions of what it has changed itself', async () => {
    const items = await scanItems(server);

    expect(items.filter(({ pk }) => String(pk).startsWith('REVISION#'))).toEqual([]);
  });

  test('adds articles of both languages with pictures that are served', async () => {
    const articles = await listAll('article/article/list?limit=100');
    expect(articles).toHaveLength(31);
    expect(articles.filter(({ status }) => status === 'disabled')).toHaveLength(2);
    expect(articles.map(({ title }) => title)).toEqual(
      expect.arrayContaining(['湖畔公园春季开园公告', 'Lakeside Park opens for spring']),
    );
    const added = articles.filter(({ id }) => id !== ownArticle);
    const covers = await Promise.all(added.map(({ cover }) => fetch(String(cover))));
    expect(covers.map(({ status, headers }) => [status, headers.get('content-type')])).toEqual(
      added.map(() => [200, 'image/png']),
    );
    const { data } = await admin.get(`/adminapi/article/article/detail?id=${added[0]?.id}`);
    expect(data.content).toMatch(/<img src="http:[^"]+\.png"/);
  });

  test('adds users of all terminals whose times are spread, some of them disabled', async () => {
    const items = (await scanItems(server)).filter(({ pk }) => String(pk).startsWith('USER#'));
    const logins = (await scanItems(server)).filter(({ pk }) => String(pk).startsWith('USER_LOGIN#'));
    const days = (list: Record<string, unknown>[], name: string) =>
      new Set(list.map((item) => String(item[name]).slice(0, 10))).size;

    expect(new Set(items.map(({ terminal }) => terminal))).toEqual(new Set([1, 2, 3]));
    expect(items.filter(({ status }) => status === 'disabled').length).toBeGreaterThan(2);
    expect(days(items, 'created_at')).toBeGreaterThan(30);
    expect(days(logins, 'last_login_at')).toBeGreaterThan(15);
    const now = new Date().toISOString();
    expect(logins.filter(({ last_login_at }) => String(last_login_at) > now)).toEqual([]);
  });

  test('adds the use of the assistant of a month, as the tools read it', async () => {
    const usage = { name: 'system.ai_usage_stats', arguments: { days: 31 } };
    const { days, total } = (await call('system/ai/mcp/call', usage)).data.result;

    expect(days.filter(({ calls }: { calls: number }) => calls > 0).length).toBeGreaterThan(20);
    expect(total.input_tokens).toBeGreaterThan(100_000);
  });

  test('adds audit entries of earlier days that audit:verify accepts, each with a known action', async () => {
    const entries = (await scanItems(server)).filter(({ pk }) => /^AUDIT#/.test(String(pk)));
    const months = [...new Set(entries.map(({ at }) => String(at).slice(0, 7)))];
    const runs = await Promise.all(
      months.map((month) =>
        runService(projectRoot, { DATA_DIR: server.dataDir }, 'audit:verify', '--month', month),
      ),
    );
    const marked = entries.filter(({ request_id }) => String(request_id).startsWith('demo-'));
    const read = await listAll(`system/audit/list?limit=100&actor=admin:${Object(marked[0]?.actor).id}`);

    expect(months.length).toBeGreaterThan(1);
    expect(runs.map(({ code, complaint }) => ({ code, complaint }))).toEqual(
      months.map(() => ({ code: 0, complaint: '' })),
    );
    expect(marked.length).toBeGreaterThan(100);
    expect(new Set(marked.map(({ outcome }) => outcome))).toEqual(new Set(['ok', 'refused']));
    expect(read.filter(({ title, action, genuine }) => title === action || genuine !== true)).toEqual([]);
  });

  test('adds nothing a second time, and says so', async () => {
    const first = await readState();

    const printed = 'Nothing to do: the example data is there. demo --remove takes it away';
    expect(await demo()).toEqual({ code: 0, printed, complaint: '' });
    expect(await readState()).toEqual(first);
  });

  test('takes the demo of a further module along, after those that it requires', async () => {
    copy.write('modules/Lab/module.ts', labModule);
    copy.write('modules/Lab/demo.ts', labDemo);
    const states = JSON.parse(readFileSync(join(copy.root, 'modules/modules.json'), 'utf8'));
    const lab = { installed: true, enabled: true };
    copy.write('modules/modules.json', JSON.stringify({ Lab: lab, ...states }));

    const printed = 'Hello, demo-editor\nAdded by Lab: 1 lab colours';
    expect(await demoWithLab()).toEqual({ code: 0, printed, complaint: '' });
    expect((await readState()).items.has('DICT_TYPE lab_colour')).toBe(true);
  });
});

describe('demo --remove', () => {
  test('keeps what records of the operator need, and names it', async () => {
    const own = await addArticle('guide');

    const { code, complaint } = await demo('--remove');

    expect(code).toBe(1);
    expect(complaint.split('\n').slice(0, 3)).toEqual([
      'These stay, because other records need them:',
      '  lab colours "red": modules/Lab/demo.ts does not say how to remove lab_colours',
      expect.stringMatching(/^ {2}article categories "guide": .+/),
    ]);
    expect((await listAll('article/article/list')).map(({ id }) => id)).toEqual([own, ownArticle]);
    expect((await readState()).files).toEqual(before.files);
    await call('article/article/delete', { id: own });
  });

  test('takes the rest away once nothing needs it, and only that', async () => {
    expect(await demoWithLab('--remove')).toMatchObject({ code: 0, complaint: '' });

    const after = await readState();
    expect(after).toEqual(before);
    expect(after.items.has(`ARTICLE#${ownArticle} ARTICLE#${ownArticle}`)).toBe(true);
  });

  test('does nothing if there is no example data', async () => {
    expect(await demo('--remove')).toEqual({
      ...{ code: 0, complaint: '', printed: 'Nothing to do: there is no example data' },
    });
  });
});

describe('demo after an interruption', () => {
  test(
    'makes the rest, and all of it can be taken away',
    async () => {
      const environment = { ...shellEnvironment(), DATA_DIR: server.dataDir };
      const options = { cwd: projectRoot, env: environment };
      const child = spawn(process.execPath, ['cli/service.ts', 'demo'], options);
      child.stdout.on('data', (text) => String(text).includes('Added by System') && child.kill('SIGKILL'));
      await once(child, 'exit');

      const { code, printed: rest, complaint } = await demo();

      expect([code, complaint, child.signalCode]).toEqual([0, '', 'SIGKILL']);
      expect(rest).toMatch(/^Added by UserCenter: 60 users/m);
      expect(rest).not.toContain('2 administrators');
      expect(await listAll('article/article/list?limit=100')).toHaveLength(31);
      expect(await listAll('user-center/user/list?limit=100')).toHaveLength(60);
      // The first run of this file has closed the log until then.
      expect(rest).toContain(
        'Audit log: no entries of earlier days, because digests cover that time already',
      );
      const month = new Date().toISOString().slice(0, 7);
      const verified = await runService(projectRoot, environment, 'audit:verify', '--month', month);
      expect(verified).toMatchObject({ code: 0, complaint: '' });
      expect(await demo('--remove')).toMatchObject({ code: 0, complaint: '' });
      expect(await readState()).toEqual(before);
    },
    timeoutMs,
  );
});

describe('demo is refused', () => {
  const other = 'This command is only for the installation of a local server: ';

  test.each([
    [{ TABLE_NAME: 'backend-prod' }, `${other}the environment selects another one (TABLE_NAME)`],
    [{ AWS_LAMBDA_RUNTIME_API: '127.0.0.1:9001' }, `${other}this one is deployed`],
  ])('with %j', async (environment, complaint) => {
    const result = await runService(projectRoot, { DATA_DIR: server.dataDir, ...environment }, 'demo');

    expect(result).toEqual({ code: 1, printed: '', complaint });
  });

  test('without a local server', async () => {
    const DATA_DIR = createTempDir();

    const complaint = `${other}start it with npm start, no server runs on ${DATA_DIR}`;
    expect(await runService(projectRoot, { DATA_DIR }, 'demo')).toEqual({ code: 1, printed: '', complaint });
  });

  test.each([
    'https://dynamodb.eu-central-1.amazonaws.com',
    'https://dynamodb.cn-north-1.amazonaws.com.cn',
    'https://dynamodb.eu-central-1.api.aws',
  ])('if the local server has its table at %s', async (DYNAMODB_ENDPOINT) => {
    const DATA_DIR = createTempDir();
    const stack = JSON.parse(readFileSync(join(server.dataDir, 'stack.json'), 'utf8'));
    const environment = { ...stack.environment, DYNAMODB_ENDPOINT };
    writeFileSync(join(DATA_DIR, 'stack.json'), JSON.stringify({ ...stack, environment }));

    const complaint = `${other}its table is on AWS (DYNAMODB_ENDPOINT)`;
    expect(await runService(projectRoot, { DATA_DIR }, 'demo')).toEqual({ code: 1, printed: '', complaint });
  });
});
