import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { stripMembers } from '#functions/bundle/lean-upstash.ts';
import { parseSource } from '#functions/bundle/parse-source.ts';
import { commands } from '#shared/cache/protocol.ts';
import { createProject } from '../fixtures.ts';

const members = commands.map((name) => `  ${name} = (key) => send('${name}', key);`).join('\n');
const createClient = (body: string): string => `var Redis = class {
  client;
  constructor(client) { this.client = client; }
${body}
  publish = (...args) => { return send('}', args); };
  get json() { return { arrappend: () => 1 }; }
  pipeline() { return 1; }
};
export { Redis };`;

const project = createProject({
  'whole.mjs': createClient(members),
  'method.mjs': createClient(members.replace(/ del = .*/, ' del(key) { return send("del", key); }')),
  'short.mjs': createClient(members.replace(/ {2}scan = .*/, '')),
  'other.mjs': 'export function Redis() {}',
});
afterAll(project.remove);

const strip = (name: string): string => {
  const file = join(project.root, name);
  return stripMembers(parseSource(file), file);
};

describe("the client of Upstash's package", () => {
  test.each(['whole.mjs', 'method.mjs'])('keeps the used commands only (%s)', (name) => {
    const code = strip(name);

    expect(commands.filter((command) => !code.includes(`${command}`))).toEqual([]);
    expect(code).not.toMatch(/publish|json|pipeline/);
    expect(code).toContain('constructor(client) { this.client = client; }');
    expect(code.split('\n')).toHaveLength(createClient(members).split('\n').length);
  });

  test('is not built if it lacks a used command', () => {
    expect(() => strip('short.mjs')).toThrow(/short\.mjs: .* without scan: adapt/);
  });

  test('is not built if it is no class', () => {
    expect(() => strip('other.mjs')).toThrow(/other\.mjs: .* without del,/);
  });
});
