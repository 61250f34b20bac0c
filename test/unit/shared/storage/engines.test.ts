import '../../../support/environment.ts';
import { describe, expect, test } from '@jest/globals';
import { storage } from '#modules/System/files/settings.ts';
import {
  assertDefaultEngine,
  engineNames,
  engineSettings,
  engines,
  findEngineName,
} from '#shared/storage/engines.ts';

describe('the registry of engines', () => {
  test('names the engines in the order for operators, and any further ones last', () => {
    const names = ['local', 'qiniu', 'aliyun', 'qcloud', 's3'];
    expect(engineNames.slice(0, 5)).toEqual(names);
    expect(engineSettings.map(({ name }) => name).slice(0, 4)).toEqual(names.slice(1));
    const choices = Object.keys(storage.keys.default.hints?.options ?? {});
    expect(choices.filter(Boolean)).toEqual(engineNames);
  });

  test('names the settings of an engine as the engine', () => {
    for (const name of engineNames) expect(engines[name].settings?.name ?? 'local').toBe(name);
  });

  test.each([
    ['', 'local'],
    ['aliyun', 'aliyun'],
    ['Aliyun', undefined],
    ['toString', undefined],
  ])('finds for the setting %p the engine %p', (chosen, name) => {
    expect(findEngineName(chosen)).toBe(name);
  });

  test('refuses a stored default that is not an engine', async () => {
    await expect(assertDefaultEngine('no-engine', 'public')).rejects.toMatchObject({
      code: 'storage.not_configured',
    });
  });
});
