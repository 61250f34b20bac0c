import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { checkOwners, listOwners, platform } from '#functions/discover/discover-owners.ts';
import { AppError, defineErrors, refuseTooLarge } from '#shared/errors/app-error.ts';
import { projectRoot } from '../../../support/local-server.ts';
import { discoverHere } from '../../functions/openapi/fixture.ts';

/** Keys of messages that the sources of a folder name. */
function listRules(folder: string): Set<string> {
  const files = globSync(`${folder}/**/*.ts`, { cwd: projectRoot });
  const texts = files.map((file) => readFileSync(join(projectRoot, file), 'utf8'));
  return new Set(texts.flatMap((text) => [...text.matchAll(/'(rule\.\w+)'/g)].map(([, key = '']) => key)));
}

describe('the error codes, throttles and messages of the platform', () => {
  test('follow the rules for modules', () => {
    expect(checkOwners([platform])).toEqual([]);
  });

  test('contain every rule that shared/ names', () => {
    const named = [...listRules('shared')];

    expect(named.filter((key) => !Object.hasOwn(platform.messages.en, key))).toEqual([]);
    expect(named).toContain('rule.text');
  });
});

test('a module uses only its own rules, those of the platform, and those of required modules', async () => {
  const { modules } = await discoverHere();

  for (const { manifest } of modules) {
    const known = Object.assign({}, ...listOwners(modules, manifest.name).map(({ messages }) => messages.en));
    const named = [...listRules(`modules/${manifest.name}`)];
    expect(named.filter((key) => !Object.hasOwn(known, key))).toEqual([]);
  }
});

test('a module uses every rule that it has a message for', async () => {
  const { modules } = await discoverHere();

  for (const { manifest, messages } of modules) {
    const rules = Object.keys(messages.en).filter((key) => key.startsWith('rule.'));
    expect([...rules].sort()).toEqual(
      [...listRules(`modules/${manifest.name}`)].filter((key) => rules.includes(key)).sort(),
    );
  }
});

describe('a refusal of a large body', () => {
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

describe('defineErrors', () => {
  const errors = defineErrors({ 'shop.closed': 409 });

  test('creates errors with the status of their code', () => {
    const error = errors.create('shop.closed', { params: { until: 'noon' }, cause: 'a holiday' });

    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({
      code: 'shop.closed',
      status: 409,
      params: { until: 'noon' },
      cause: 'a holiday',
    });
  });

  test('keeps the code of a caught error', () => {
    const caught = errors.create('shop.closed');

    expect(new AppError(caught, { headers: { allow: 'GET' } })).toMatchObject({
      code: 'shop.closed',
      status: 409,
    });
  });
});

describe('a code that is not declared', () => {
  const errors = defineErrors<string>({ 'shop.open': 409, 'shop.found': 200, 'shop.half': 404.5 });
  const cause = new Error('underneath');

  test.each(['shop.unknown', 'constructor', 'shop.found', 'shop.half'])(
    'like %s is 500 internal, with the code in the cause and nothing of the rest',
    (code) => {
      const options = {
        cause,
        text: 'secret',
        messageKey: 'rule.id',
        data: { a: 1 },
        headers: { allow: 'GET' },
      };

      for (const error of [errors.create(code, options), new AppError({ code }, options)]) {
        expect(error).toMatchObject({ code: 'internal', message: 'internal', status: 500 });
        expect(error).toMatchObject({ messageKey: 'internal', text: undefined, data: null, headers: {} });
        expect(error.cause).toMatchObject({ message: expect.stringContaining(`"${code}"`), cause });
      }
    },
  );
});
