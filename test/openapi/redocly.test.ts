import '../support/environment.ts';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect } from '@jest/globals';
import * as z from 'zod/mini';
import { type Locale, locales } from '#shared/i18n/locale.ts';
import { projectRoot } from '../support/local-server.ts';
import { program, programTest } from '../support/programs.ts';
import { writeDocuments } from './write-documents.ts';

let documents: Record<Locale, string>;
beforeAll(async () => {
  documents = await writeDocuments();
});

const report = z.object({ problems: z.array(z.unknown()), totals: z.unknown() });

/** Neither usage data nor notes about newer versions. */
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

programTest.each(locales)(
  'Redocly has no errors and no warnings for the document in %s',
  (locale) => {
    const args = ['lint', '--extends=recommended', '--format=json', documents[locale]];
    const { stdout } = spawnSync(program('redocly'), args, { env, encoding: 'utf8', maxBuffer: 2 ** 26 });

    const { problems, totals } = z.parse(report, JSON.parse(stdout));

    expect(problems).toEqual([]);
    expect(totals).toEqual({ errors: 0, warnings: 0, ignored: 0 });
  },
  120_000,
);

programTest('docs/api.md names the installed version of Redocly', () => {
  const installed = join(projectRoot, 'test/clients/node_modules/@redocly/cli/package.json');
  const { version } = z.parse(z.object({ version: z.string() }), JSON.parse(readFileSync(installed, 'utf8')));
  const [, named = ''] =
    /Redocly \(([\d.]+)\)/.exec(readFileSync(join(projectRoot, 'docs/api.md'), 'utf8')) ?? [];

  expect(version.split('.').slice(0, 2).join('.')).toBe(named);
});
