import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createTempDir, projectRoot } from '../../support/local-server.ts';

// `.ci/run` with only doubles in its PATH: `npm` ends it with 42.

const reachedNpm = 42;
let folder: string;
let chromium: string;

const command = (name: string, body: string) =>
  writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${body}\n`, { mode: 0o755 });

beforeEach(() => {
  folder = createTempDir();
  chromium = join(folder, 'chromium');
  mkdirSync(join(folder, 'bin'));
  symlinkSync('/usr/bin/dirname', join(folder, 'bin', 'dirname'));
  command('npm', `exit ${reachedNpm}`);
  command('id', 'echo 1000');
  command('true', ':');
});

/** An `apt-get` that records its calls, and installs the browser. */
const addAptGet = () =>
  command(
    'apt-get',
    `echo "$@" >> ${folder}/calls\ncase "$*" in *update) exit ;; esac\nprintf x > ${chromium}\n/bin/chmod +x ${chromium} || :`,
  );

const calls = () => (existsSync(join(folder, 'calls')) ? readFileSync(join(folder, 'calls'), 'utf8') : '');

function run() {
  const env = { PATH: join(folder, 'bin'), CHROMIUM_PATH: chromium };
  return spawnSync('/bin/bash', [join(projectRoot, '.ci', 'run')], { env, encoding: 'utf8' });
}

describe('.ci/run without Chromium', () => {
  it('names the missing package to a user who is not root, and does not call apt-get', () => {
    addAptGet();

    const { status, stderr } = run();

    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^\S+ is missing: install the package chromium-headless-shell \(sudo apt-get .*\n$/,
    );
    expect(calls()).toBe('');
  });

  it.each([
    ['sudo asks for a password', () => [addAptGet(), command('sudo', 'exit 1')]],
    ['the system has no apt-get', () => command('id', 'echo 0')],
    ['it cannot be installed', () => [command('apt-get', 'exit 100'), command('id', 'echo 0')]],
  ])('names the missing package if %s', (_title, prepare) => {
    prepare();

    expect(run()).toMatchObject({ status: 1, stderr: expect.stringContaining('is missing: install') });
    expect(calls()).toBe('');
  });

  it.each([
    ['as root', 'id', 'echo 0'],
    ['by sudo without a password', 'sudo', '[ "$1" = -n ] && shift && exec "$@"'],
  ])('installs it %s', (_title, name, body) => {
    addAptGet();
    command(name, body);

    expect(run().status).toBe(reachedNpm);
    expect(calls()).toContain('install -y --no-install-recommends chromium-headless-shell');
  });
});

it('.ci/run with Chromium installs nothing', () => {
  addAptGet();
  writeFileSync(chromium, '', { mode: 0o755 });

  expect(run().status).toBe(reachedNpm);
  expect(calls()).toBe('');
});

describe('.ci/run, once every step has passed', () => {
  /** A copy, because a run writes its logs beside itself. */
  function runCopy(npm: string) {
    const copy = join(folder, 'project', '.ci');
    mkdirSync(copy, { recursive: true });
    copyFileSync(join(projectRoot, '.ci', 'run'), join(copy, 'run'));
    writeFileSync(chromium, '', { mode: 0o755 });
    command('npm', npm);
    const env = { PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, CHROMIUM_PATH: chromium };
    return spawnSync('/bin/bash', [join(copy, 'run')], { env, encoding: 'utf8' });
  }

  it('ends with a line that counts the tests', () => {
    const { status, stdout, stderr } = runCopy("echo 'Tests:       5 passed, 5 total'");

    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('tests: 15 passed, 0 failed');
  });

  it('counts what failed once and then passed', () => {
    const { status, stdout } = runCopy(
      `case "$*" in *--onlyFailures*) exit ;; "run test:slow") printf 'FAIL test/a.test.ts\nTests:       1 failed, 4 passed, 5 total\nRan all test suites.\n'; exit 1 ;; esac\necho 'Tests:       5 passed, 5 total'`,
    );

    expect(status).toBe(0);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('tests: 15 passed, 0 failed');
  });

  it('ends with the failure of a suite that fails again', () => {
    const { status, stdout } = runCopy(
      `case "$*" in "run test"*) printf 'FAIL test/a.test.ts\nTests:       1 failed, 5 total\nRan all test suites.\n'; exit 1 ;; esac`,
    );

    expect(status).not.toBe(0);
    expect(stdout).not.toContain('0 failed');
  });
});
