import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { listEnabled, readModuleStates, writeModuleStates } from '#functions/discover/module-states.ts';
import { DiscoveryError } from '#functions/model.ts';
import { createProject } from '../fixtures.ts';

let project: ReturnType<typeof createProject>;
afterEach(() => project.remove());

function createList(text: string): string {
  project = createProject({ 'modules/modules.json': text });
  return project.root;
}
const readText = () => readFileSync(join(project.root, 'modules/modules.json'), 'utf8');

describe('readModuleStates', () => {
  test('counts enabled modules as installed by default', () => {
    const root = createList(
      '{ "A": { "enabled": true }, "B": { "enabled": false }, "C": { "installed": true, "enabled": false } }',
    );

    const states = readModuleStates(root);

    expect(Object.fromEntries(states)).toEqual({
      A: { installed: true, enabled: true },
      B: { installed: false, enabled: false },
      C: { installed: true, enabled: false },
    });
    expect(listEnabled(states)).toEqual(['A']);
  });

  test.each(['', '{', 'null', '[]', '1'])('refuses the list %j, naming its file', (text) => {
    const root = createList(text);

    expect(() => readModuleStates(root)).toThrow(DiscoveryError);
    expect(() => readModuleStates(root)).toThrow(/^modules\/modules\.json /);
  });
});

describe('writeModuleStates', () => {
  test('writes one line for each module, sorted by name', () => {
    const root = createList('{ "Shop": { "enabled": true }, "Cart": { "enabled": false } }');

    writeModuleStates(root, readModuleStates(root));

    expect(readText()).toBe(
      '{\n  "Cart": { "installed": false, "enabled": false },\n  "Shop": { "installed": true, "enabled": true }\n}\n',
    );
  });

  test('leaves no other file', () => {
    const root = createList('{}');

    writeModuleStates(root, new Map([['Shop', { installed: true, enabled: false }]]));

    expect(readdirSync(join(root, 'modules'))).toEqual(['modules.json']);
    expect(readdirSync(join(root, '.build'))).toEqual([]);
  });
});

test('the list of this project has the format of the commands', () => {
  const here = resolve(__dirname, '../../../..');
  const text = readFileSync(join(here, 'modules/modules.json'), 'utf8');
  const root = createList(text);

  writeModuleStates(root, readModuleStates(root));

  expect(readText()).toBe(text);
});
