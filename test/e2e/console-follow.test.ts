import '../support/environment.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { startLocalServer } from '../support/local-server.ts';
import { copyProject } from '../support/project-copy.ts';
import { runService } from '../support/run-service.ts';
import { shippedModules } from '../support/shipped-modules.ts';
import { useServer } from '../support/use-server.ts';

// The local server builds the console, and again when its sources change.

const page = (title: string, script = '', more = '') => `<script lang="ts">
import { definePage } from '#console/kit/page.ts';

export const page = definePage({ path: 'follow', title: { zh_CN: '${title}', en: '${title}' }${more} });
</script>

<script setup lang="ts">
${script}
const greeting = 'Hello';
</script>

<template><p>{{ greeting }}</p></template>
`;

const file = 'modules/Article/Console/follow.vue';
const copy = copyProject(['console', 'package-lock.json']);
copy.enable(...shippedModules);
copy.write(file, page('First-title'));
const { server } = useServer({ login: false, root: copy.root, environment: { CONSOLE: 'on' } });
/** Builds that were seen. */
let builds = 0;

beforeAll(() => nextBuild(), 180_000);

/** Waits for the next console. */
async function nextBuild(): Promise<void> {
  builds += 1;
  await server.prints(new RegExp(`(Console: http[\\s\\S]*){${builds + 1}}`));
}

/** The script of the first load, which has the titles of all pages by hand. */
async function readScript(): Promise<string> {
  const index = await (await fetch(`${server.url}/console/`)).text();
  const [path] = /\/console\/assets\/first-[^"]+\.js/.exec(index) ?? [];
  return (await fetch(`${server.url}${path}`)).text();
}

const readDescription = async (): Promise<string> =>
  (await fetch(`${server.url}/console/description.json`)).text();

test('serves the console that it has built, under a path with a slash only', async () => {
  const answers = await Promise.all(
    ['/', '/console', '/console/'].map((path) => fetch(`${server.url}${path}`, { redirect: 'manual' })),
  );

  const seen = answers.map(({ status, headers }) => `${status} ${headers.get('location')}`);
  expect(seen).toEqual(['302 /console/', '302 /console/', '200 null']);
  expect(await readScript()).toContain('First-title');
});

test('does not build again if nothing has changed', async () => {
  const record = join(copy.root, '.build/console/build.json');
  const before = readFileSync(record, 'utf8');

  const again = await startLocalServer({ root: copy.root, environment: { CONSOLE: 'on' } });
  await again.stop();

  expect(readFileSync(record, 'utf8')).toBe(before);
  expect(again.printed()).not.toContain('building');
});

test('keeps the last console if a build fails, and says why', async () => {
  copy.write(file, page('Broken-title', `import './missing.ts';`));

  const printed = await server.prints(/^Console: the console cannot be built: [\s\S]*missing\.ts/m);

  expect(printed).not.toMatch(/^ +at .*node_modules/m);
  expect(await readScript()).toContain('First-title');
});

test.each(['NoSuchIcon', '', 'toString'])('names the page whose icon %j does not exist', async (icon) => {
  copy.write(file, page('Broken-title', '', `, icon: '${icon}'`));

  await server.prints(
    new RegExp(`^Console: the console cannot be built: [^]*${file}: .* has no icon "${icon}"`, 'm'),
  );
  expect(await readScript()).toContain('First-title');
});

test('builds a changed page', async () => {
  copy.write(file, page('Second-title'));
  await nextBuild();

  const script = await readScript();
  expect(script).toContain('Second-title');
  expect(script).not.toContain('First-title');
});

test('describes a changed schema without an edit of the console', async () => {
  const route = 'modules/Article/Admin/article/list.ts';
  const source = readFileSync(join(copy.root, route), 'utf8');
  copy.write(
    route,
    source.replace(/summary: \{[^}]*\}/, `summary: { zh_CN: '新摘要', en: 'Another summary' }`),
  );

  await server.prints(/^(Reloaded|Restarted)/m);

  expect(await readDescription()).toContain('Another summary');
  await nextBuild();
});

test('leaves no trace of a disabled module', async () => {
  const { code } = await runService(copy.root, { DATA_DIR: server.dataDir }, 'module:disable', 'Article');
  expect(code).toBe(0);
  await nextBuild();

  expect(await readScript()).not.toContain('Second-title');
  expect(await readDescription()).not.toContain('"Article"');
});
