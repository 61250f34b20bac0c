import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { install } from '#cli/install.ts';
import system from '#modules/System/module.ts';
import { environment } from '#shared/config/environment.ts';
import { editDictType, getDictType } from '#shared/dict/types.ts';
import { readStored } from './dictionary-fixture.ts';

/** What an installation brings. */
export function describeInstallation(): void {
  describe('installation', () => {
    test('brings the dictionaries of the modules once, and leaves what operators made of them', async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'install-'));
      const options = { tableName: environment().tableName, modules: [system], dataDir };
      const [seed] = system.dictionaries ?? [];
      const typeKey = String(seed?.type_key);

      const first = await install(options);
      await editDictType(typeKey, 1, { name: '改' });
      const second = await install(options);

      const declared = system.dictionaries?.map(({ type_key }) => type_key);
      const none = { isTableCreated: false, administrator: undefined };
      expect([first, second]).toEqual([
        { ...none, dictionaries: declared },
        { ...none, dictionaries: [] },
      ]);
      expect(await getDictType(typeKey)).toMatchObject({ name: '改', version: 2 });
      expect(await readStored(typeKey)).toMatchObject({ item_count: seed?.items.length });
      expect(existsSync(join(dataDir, 'install.lock'))).toBe(true);
      await rm(dataDir, { recursive: true });
    });
  });
}
