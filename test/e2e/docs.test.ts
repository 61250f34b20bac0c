import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { administrator } from '../support/administrator.ts';
import { copyProject } from '../support/project-copy.ts';
import { readCodeBlocks } from '../support/read-code-blocks.ts';
import { shellEnvironment } from '../support/run-service.ts';
import { useServer } from '../support/use-server.ts';

// Commands of docs/ work when pasted, three times out of three, while every core is busy.

const rounds = 3;
const copy = copyProject();
const burners: ChildProcess[] = [];

const { server } = useServer({ login: false, root: copy.root });

beforeAll(async () => {
  for (let core = 0; core < availableParallelism(); core += 1) {
    burners.push(spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
  }
});
afterAll(async () => {
  for (const burner of burners) burner.kill();
});

/** The blocks of a page in a language, in their order. */
const blocksOf = (page: string, language: string): string[] =>
  readCodeBlocks(`docs/${page}`).flatMap((block) => (block.language === language ? [block.code] : []));

/** Pastes a block into a shell. @returns its output */
async function paste(block: string): Promise<string> {
  const script = block
    .replaceAll('localhost:3000', new URL(server.url).host)
    .replace('"account": "admin"', `"account": "${administrator.account}"`)
    .replaceAll('"password": "…"', `"password": "${administrator.password}"`);
  const env = { ...shellEnvironment(), DATA_DIR: server.dataDir };
  return (await promisify(execFile)('bash', ['-ec', script], { cwd: copy.root, env })).stdout;
}

test('the lines of modules.md create a module that answers, and remove it', async () => {
  const [make = '', , life = ''] = blocksOf('modules.md', 'sh');

  for (let round = 0; round < rounds; round += 1) {
    expect(await paste(make)).toContain('{"code":"ok",');
    expect(await paste(life)).toContain('Deleted Shop');
    expect((await fetch(`${server.url}/api/shop/kind/list`)).status).toBe(404);
  }
}, 240_000);

test('the route of modules.md answers as soon as its file is saved', async () => {
  const [make = '', , life = ''] = blocksOf('modules.md', 'sh');
  const [route = ''] = blocksOf('modules.md', 'ts');
  const ask = async () => (await fetch(`${server.url}/api/shop/kind/find?value=special`)).status;
  await paste(make);

  for (let round = 0; round < rounds; round += 1) {
    copy.write('modules/Shop/Api/kind/find.ts', route);
    expect(await ask()).toBe(200);
    rmSync(join(copy.root, 'modules/Shop/Api/kind/find.ts'));
    expect(await ask()).toBe(404);
  }
  await paste(life);
}, 240_000);

test('the tool of write-a-tool.md can be called as soon as its file is saved', async () => {
  const [, tool = ''] = blocksOf('write-a-tool.md', 'ts');
  const [call = ''] = blocksOf('write-a-tool.md', 'sh');
  const file = 'modules/Article/Mcp/Tools/TitlesTool.ts';

  for (let round = 0; round < rounds; round += 1) {
    copy.write(file, tool);
    expect(await paste(call)).toContain('{"code":"ok",');
    rmSync(join(copy.root, file));
    expect(await paste(call)).toContain('{"code":"tool.not_registered",');
  }
}, 240_000);
