import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { AppError } from '#shared/errors/app-error.ts';
import { errorCatalogue } from '#shared/errors/catalogue.ts';
import { refuseTooLarge } from '#shared/errors/too-large.ts';
import { sharedMessages } from '#shared/i18n/messages.ts';

const root = resolve(__dirname, '../../../..');
const codes = Object.keys(errorCatalogue);

/** Keys beside codes and rules: the message of success. */
const otherKeys = ['ok'];

function readDocumented(): Record<string, number> {
  const page = readFileSync(join(root, 'docs/errors.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `([^`]+)` \| (\d+) \| (\S.*) \|$/gm)];
  return Object.fromEntries(rows.map(([, code, status]) => [code, Number(status)]));
}

function readSources(): string {
  const files = ['shared', 'modules'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      join(root, folder, file),
    ),
  );
  return files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

const ruleKeys = (text: string) => new Set([...text.matchAll(/'(rule\.\w+)'/g)].map(([, key]) => key));
const placeholders = (text = '') => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

describe('the error catalogue', () => {
  test('is what docs/errors.md tells, code for code and status for status', () => {
    expect(readDocumented()).toEqual(errorCatalogue);
  });

  test.each(codes)('spells %s as a stable word', (code) => {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*(\.[a-z]+(_[a-z]+)*)?$/);
  });

  test.each(Object.values(errorCatalogue))('answers a failure: %i', (status) => {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
  });
});

describe.each(Object.entries(sharedMessages))('the messages in %s', (_locale, messages) => {
  test('are those of the catalogue, the rules and success', () => {
    const keys = Object.keys(messages).filter((key) => !key.startsWith('rule.'));

    expect(keys.sort()).toEqual([...codes, ...otherKeys].sort());
  });

  test('have a text for every key', () => {
    const blank = Object.entries(messages).filter(([, text]) => text.trim() === '');

    expect(blank).toEqual([]);
  });

  test('have every rule that the sources name', () => {
    const named = [...ruleKeys(readSources())];

    expect(named.filter((key) => !Object.hasOwn(messages, key ?? ''))).toEqual([]);
    expect(named).toContain('rule.text');
  });
});

test('the messages of both locales have the same keys and placeholders', () => {
  const { zh_CN, en } = sharedMessages;
  const shape = (messages: Record<string, string>) =>
    Object.fromEntries(Object.entries(messages).map(([key, text]) => [key, placeholders(text)]));

  expect(shape(zh_CN)).toEqual(shape(en));
});

describe('a refusal of what is too large', () => {
  test.each([
    [16_384, '16 KiB'],
    [1_048_576, '1 MiB'],
    [10_000_000, '10 MB'],
    [1000, '1000 B'],
  ])('names a limit of %i bytes as %s', (sizeBytes, size) => {
    expect(refuseTooLarge(sizeBytes)).toMatchObject({ status: 413, params: { size } });
  });
});

describe('AppError', () => {
  test('takes its status from the catalogue', () => {
    const error = new AppError('dict.type_exists');

    expect(error).toMatchObject({ name: 'AppError', code: 'dict.type_exists', status: 409, data: null });
    expect(error).toBeInstanceOf(Error);
  });

  test('keeps its cause', () => {
    const cause = new Error('underneath');

    expect(new AppError('internal', { cause }).cause).toBe(cause);
  });
});
