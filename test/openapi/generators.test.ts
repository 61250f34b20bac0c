import '../support/environment.ts';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from '@jest/globals';
import { type Locale, locales } from '#shared/i18n/locale.ts';
import { createTempDir } from '../support/local-server.ts';
import { program, programTest } from '../support/programs.ts';
import { writeDocuments } from './write-documents.ts';

// The fifth generator, oazapfts, has a test of its own: test/e2e/api-client.test.ts.

let documents: Record<Locale, string>;
beforeAll(async () => {
  documents = await writeDocuments();
});

/** Programs with their arguments, which write `client` files into the working directory. */
const generators: Record<string, (document: string) => string[]> = {
  'openapi-typescript': (document) => [document, '--output', 'client.ts'],
  'openapi-typescript with enums': (document) => [document, '--output', 'client.ts', '--enum'],
  orval: (document) => ['--input', document, '--output', 'client.ts', '--client', 'fetch'],
  'openapi-ts': (document) => ['--input', document, '--output', 'client'],
  'swagger-typescript-api': (document) => ['generate', '--path', document, '--name', 'client.ts', '-o', '.'],
};

const compilerOptions = {
  strict: true,
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
  noEmit: true,
  types: [],
};

/** A project of its own. */
function createProject(): string {
  const folder = createTempDir();
  mkdirSync(join(folder, 'client'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['client.ts', 'client'] }),
  );
  return folder;
}

function run(command: string, args: string[], cwd: string): { status: number | null; printed: string } {
  const { status, stdout, stderr } = spawnSync(program(command), args, { cwd, encoding: 'utf8' });
  return { status, printed: stdout + stderr };
}

describe.each(locales)('a client that is generated from the document in %s', (locale) => {
  programTest.each(Object.entries(generators))(
    'by %s compiles',
    (name, listArguments) => {
      const folder = createProject();
      const [command = ''] = name.split(' ');

      const { status, printed } = run(command, listArguments(documents[locale]), folder);

      expect([status, status === 0 ? '' : printed]).toEqual([0, '']);
      const compiled = run('tsc', ['--listFilesOnly'], folder);
      expect(compiled.printed).toMatch(/\/client(\.ts|\/index\.ts)$/m);
      expect(run('tsc', [], folder)).toEqual({ status: 0, printed: '' });
    },
    300_000,
  );
});
