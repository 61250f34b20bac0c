import '../../../support/environment.ts';
import { describe, expect, test } from '@jest/globals';
import { storage } from '#modules/System/files/settings.ts';
import { assertDefaultEngine, engineNames, engineSettings, findEngineName } from '#shared/storage/engines.ts';

describe('the registry of engines', () => {
  test('names them in the order for operators', () => {
    expect(engineNames).toEqual(['local', 'qiniu', 'aliyun', 'qcloud']);
    expect(engineSettings.map(({ name }) => name)).toEqual(['qiniu', 'aliyun', 'qcloud']);
    expect(storage.keys.default.description).toEqual({
      zh_CN: '默认存储引擎：local、qiniu、aliyun 或 qcloud；留空为 local',
      en: 'Engine of new files: local, qiniu, aliyun or qcloud; local if empty',
    });
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
    await expect(assertDefaultEngine('azure')).rejects.toMatchObject({ code: 'storage.not_configured' });
  });
});
