import { execSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from '@jest/globals';
import { createTempDir, projectRoot } from '../../support/local-server.ts';

// What `npm ci` prints, besides errors.

const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(join(projectRoot, 'package.json'), 'utf8'),
);

/** A folder with an npm in place of the real one, which would need the registry. */
function createNpm(code: number): string {
  const folder = createTempDir();
  writeFileSync(join(folder, 'npm'), `#!/bin/sh\nexit ${code}\n`, { mode: 0o755 });
  return folder;
}

const print = (npm_config_user_agent: string, npm = createNpm(0)): string =>
  execSync(String(scripts.postinstall), {
    env: { ...process.env, PATH: `${npm}:${process.env.PATH}`, npm_config_user_agent },
    encoding: 'utf8',
  });

describe('after an installation by npm', () => {
  it.each(['npm/10.8.2 node/v20.20.2 linux x64 workspaces/false', 'npm/11.6.0 node/v22.20.0 darwin arm64'])(
    'one line names Node 24, for %s',
    (agent) => {
      expect(print(agent)).toMatch(/^npm runs on Node 2[02]\. .*Node 24.*\n$/);
    },
  );

  it.each(['npm/11.6.0 node/v24.21.0 linux x64', 'npm/12.0.0 node/v26.1.0 linux x64', ''])(
    'nothing is printed, for "%s"',
    (agent) => {
      expect(print(agent)).toBe('');
    },
  );
});

test('an installation goes on without the libraries of functions, and says so', () => {
  expect(print('', createNpm(1))).toBe('The libraries of native/ are not installed: packaging does it\n');
});

test.each(['.', 'bench', 'native', 'test/clients'])(
  'npm prints no warning for each package in %s',
  (folder) => {
    expect(readFileSync(join(projectRoot, folder, '.npmrc'), 'utf8').split('\n')).toContain('loglevel=error');
  },
);
