import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { readOutputs } from '#functions/bundle/keep-chunks-apart.ts';
import { checkArchive } from '../../cli/package/check-stack.ts';
import { createTempDir } from '../support/local-server.ts';
import { copyProject } from '../support/project-copy.ts';
import { runServerless } from '../support/run-service.ts';

// The command line of the framework, as its users call it.

const { root } = copyProject();

/** @param environment with no data of a server by default */
const run = (args: string[], environment: NodeJS.ProcessEnv = {}) =>
  runServerless(root, { DATA_DIR: join(root, '.data'), ...environment }, ...args);

describe('serverless print', () => {
  test('shows the whole service without imports from other stacks, and bundles nothing', async () => {
    const { code, printed } = await run(['print']);

    expect(code).toBe(0);
    expect(printed).toMatch(/^service: backend$/m);
    expect(printed).toContain('backend-dev-user-center-api-profile');
    expect(printed).toContain('Type: AWS::DynamoDB::Table');
    expect(printed).not.toContain('Fn::ImportValue');
    expect(existsSync(join(root, '.build', 'esbuild'))).toBe(false);
  });

  test('shows the stack in MODULE', async () => {
    const { code, printed } = await run(['print'], { MODULE: 'article' });

    expect(code).toBe(0);
    expect(printed).toMatch(/^service: backend-article$/m);
    expect(printed).toContain('Fn::ImportValue: backend-dev-HttpApiId');
    expect(printed).not.toContain('backend-dev-user-center');
  });
});

test.each(['print', 'info', 'package', 'deploy', 'offline'])(
  'serverless %s says in one line which stacks MODULE takes',
  async (command) => {
    // Without credentials, commands that need them say that first.
    const account = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'a-secret' };
    const { code, printed, complaint } = await run([command], { ...account, MODULE: 'nope' });

    expect({ code, printed }).toEqual({ code: 1, printed: '' });
    expect(complaint).toMatch(
      /^MODULE is "nope": use one of core, article, system, user-center, aggregate, .*$/,
    );
  },
);

test('serverless deploy and info say first that there are no credentials, and how to get them', async () => {
  const environment = { MODULE: 'core', AWS_EC2_METADATA_DISABLED: 'true' };

  const results = [await run(['info'], environment), await run(['deploy'], environment)];

  for (const { code, printed, complaint } of results) {
    expect({ code, complaint }).toEqual({
      code: 1,
      complaint: expect.stringMatching(/no AWS credentials were found\. .*\nRun: aws configure$/),
    });
    expect(printed).not.toMatch(/Packag|not found/);
  }
}, 120_000);

test('serverless invoke local names the missing setting if no server runs', async () => {
  const { code, complaint } = await run(['invoke', 'local', '-f', 'system-web-health', '-d', '{}']);

  expect(code).toBe(1);
  expect(complaint).toMatch(/^APP_KEY is not set: .*npm start.*$/);
});

describe('serverless package', () => {
  const folder = createTempDir();
  const temporary = createTempDir();
  let template: { Resources: Record<string, { Type: string; Properties: Record<string, unknown> }> };

  beforeAll(async () => {
    const { code, complaint } = await run(['package', '--package', folder], {
      MODULE: 'user-center',
      TMPDIR: temporary,
    });
    expect([code, complaint]).toEqual([0, expect.stringContaining('Service packaged')]);
    const file = join(folder, 'cloudformation-template-update-stack.json');
    template = JSON.parse(readFileSync(file, 'utf8'));
  }, 180_000);

  test('puts into each package the bundle of its function, the lock of the site gate, and nothing else', async () => {
    const names = readdirSync(folder).flatMap((file) => (file.endsWith('.zip') ? [file.slice(0, -4)] : []));
    const entries = join(root, '.build', 'esbuild', 'user-center', 'code', '.build', 'entries');
    const faults = names.map((name) => {
      const report = readOutputs(root, 'user-center', name);
      const others = name.includes('-api-') ? ['.build/install.lock'] : [];
      return checkArchive(join(folder, `${name}.zip`), 'user-center', report, others);
    });

    expect(names).toContain('user-center-api-profile');
    expect(faults.flat()).toEqual([]);
    // There are others, of other functions of this stack or unused.
    expect(readdirSync(entries).filter((file) => file.startsWith('chunk-')).length).toBeGreaterThan(1);
  });

  test('leaves nothing in the folder for temporary files', () => {
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('gives each function the role for its bundle', () => {
    const roles = Object.values(template.Resources).flatMap(({ Type, Properties }) =>
      Type === 'AWS::Lambda::Function' ? [Properties.Role] : [],
    );

    expect(roles.length).toBeGreaterThan(5);
    const own = Object.entries(template.Resources).flatMap(([id, { Type }]) =>
      Type === 'AWS::IAM::Role' ? [id] : [],
    );
    expect(roles.map((role) => own.includes(Object(role)['Fn::GetAtt']?.[0]))).not.toContain(false);
    // Those with the same rights share one.
    expect(own.length).toBeLessThan(roles.length);
  });
});
