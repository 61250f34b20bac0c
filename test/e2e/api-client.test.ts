import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { validFiles } from '../fixtures/hostile/files.ts';
import { administrator } from '../support/administrator.ts';
import { createTempDir, projectRoot } from '../support/local-server.ts';
import { useSharedServer } from '../support/use-server.ts';

const bin = (name: string) => join(projectRoot, 'node_modules/.bin', name);

const { server } = useSharedServer();
let folder: string;

beforeAll(async () => {
  folder = createTempDir();
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  copyFileSync(join(projectRoot, 'docs/examples/typed-client.ts'), join(folder, 'typed-client.ts'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: join(projectRoot, 'tsconfig.json'), include: ['*.ts'] }),
  );
  const args = [`${server.url}/openapi.json`, join(folder, 'client.ts'), '--futureStripLegacyMethods'];
  execFileSync(bin('oazapfts'), args);
}, 120_000);

/** Type-checks the folder by this project's compiler; returns its errors. */
function check(): string {
  return spawnSync(bin('tsc'), { cwd: folder, encoding: 'utf8' }).stdout;
}

describe('a client that is generated from the document', () => {
  test('compiles, with the sample that uses it', () => {
    expect(check()).toBe('');
  });

  test.each([
    ['a field that is missing', "await systemAdminLoginAccount({ account: 'a' });"],
    ['an unknown field', "await systemAdminLoginAccount({ account: 'a', password: 'b', pass: 'b' });"],
    ['a text in place of a file', "await systemAdminUploadFile({ type: 'image', file: 'a' });"],
    ['a key in place of keys', "await systemAdminConfigDict('bank_kind');"],
    [
      'data of a failure',
      "const answer = await systemAdminLoginAccount({ account: 'a', password: 'b' });\nanswer.data.data.token;",
    ],
  ])('does not compile with %s', (_title, use) => {
    const imported = [...new Set(use.match(/system\w+/g))].join(', ');
    writeFileSync(join(folder, 'wrong.ts'), `import { ${imported} } from './client.ts';\n${use}\n`);

    const printed = check();

    writeFileSync(join(folder, 'wrong.ts'), 'export {};');
    expect(printed).toMatch(/^wrong\.ts\([23],/);
  });

  test('logs in, reads the dictionary and uploads a file', () => {
    const picture = join(folder, 'dot.png');
    writeFileSync(picture, validFiles.png);
    const { account, password } = administrator;

    const args = [join(folder, 'typed-client.ts'), server.url, account, password, picture];
    const [options = '', url] = execFileSync(process.execPath, args, { encoding: 'utf8' }).split('\n');

    expect(JSON.parse(options)).toMatchObject({
      bank_kind: expect.arrayContaining([{ name: '工商银行', value: 'icbc' }]),
    });
    expect(url).toMatch(/\/storage\/uploads\/image\/.*\.png$/);
  });
});
