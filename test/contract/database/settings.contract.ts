import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import * as z from 'zod/mini';
import type { ConfigGroup } from '#shared/settings/group.ts';
import { listSettingRevisions } from '#shared/settings/revisions.ts';
import { removeSettings, saveSettings } from '#shared/settings/save.ts';
import { openValues, readStored } from '#shared/settings/store.ts';
import { outcomesOf, randomLetters } from '../../support/database.ts';
import { type Fate, throughProxy } from './engine-proxy.ts';

const description = { zh_CN: '试', en: 'Trial' };
const text = { schema: z.string(), default: '', description };
/** A group with a secret and the host that it is sent to, with a unique name. */
const createVault = (): ConfigGroup => ({
  name: randomLetters(),
  keys: { secret: { ...text, secret: true }, host: { ...text, endpoint: true }, note: text },
});

/** Saves, with `meanwhile` at each write; returns the outcome. */
async function saveDuring(
  group: ConfigGroup,
  values: Record<string, unknown>,
  meanwhile: (tries: number) => Promise<void>,
): Promise<string | undefined> {
  let outcome: string | undefined;
  let tries = 0;
  await throughProxy(
    async (operation): Promise<Fate> => {
      if (operation === 'TransactWriteItems') {
        tries += 1;
        await meanwhile(tries);
      }
      return 'pass';
    },
    async () => {
      const other = await import('#shared/settings/save.ts');
      [outcome] = await outcomesOf([other.saveSettings(group, values)]);
    },
  );
  return outcome;
}

/** Settings that are saved at the same time. */
export function describeSettings(): void {
  describe('a save of settings', () => {
    let vault: ConfigGroup;
    const read = async () => openValues(vault, await readStored(vault.name));

    beforeEach(() => {
      vault = createVault();
    });

    test('does not restore a host that was replaced, with its secret, since the read', async () => {
      await saveSettings(vault, { host: '8.8.8.8' });

      const outcome = await saveDuring(vault, { host: '8.8.8.8', note: 'mine' }, () =>
        saveSettings(vault, { host: '8.8.4.4', secret: 'words' }),
      );

      expect(outcome).toBe('request.invalid');
      expect(await read()).toEqual({ host: '8.8.4.4', secret: 'words', note: '' });
    });

    test('is checked again if the first host was saved meanwhile', async () => {
      const outcome = await saveDuring(vault, { host: '8.8.8.8' }, async (tries) => {
        if (tries === 1) await saveSettings(vault, { host: '8.8.4.4' });
      });

      expect(outcome).toBe('done');
      expect(await read()).toMatchObject({ host: '8.8.8.8' });
    });

    test('ends while others keep changing the host', async () => {
      const outcome = await saveDuring(vault, { host: '8.8.8.8' }, (tries) =>
        saveSettings(vault, { host: `8.8.4.${tries}` }),
      );

      expect(outcome).toBe('version_conflict');
      expect(await read()).toMatchObject({ host: '8.8.4.3' });
    });

    test('keeps what each save has replaced, if several come at once, and only masks of secrets', async () => {
      const saves = ['a', 'b', 'c', 'd'].map((note) =>
        saveSettings(vault, { note, secret: `hidden ${note}` }),
      );
      const outcomes = await outcomesOf(saves);
      await saveSettings(vault, { secret: '' });
      await saveSettings(vault, { note: (await read()).note });

      const { list } = await listSettingRevisions(vault, { limit: 100 });
      const kept = list.toReversed().map((each) => [each.old, each.new]);
      const notes = kept.filter(([old]) => old && 'note' in old);
      expect(notes).toHaveLength(outcomes.filter((each) => each === 'done').length);
      // Each begins with what the one before has set; nothing was kept of the save that changed nothing.
      const before = notes.slice(0, -1).map(([, now]) => now);
      expect(notes.map(([old]) => old)).toEqual([{ note: null }, ...before]);
      expect(notes.at(-1)?.[1]).toEqual({ note: (await read()).note });
      expect(JSON.stringify(list)).not.toContain('hidden');
      expect(kept.at(-1)).toEqual([{ secret: '******' }, { secret: null }]);
    });

    test('calls onSaved after the write, also after one that failed', async () => {
      const seen: unknown[] = [];
      const onSaved = jest.fn(async () => seen.push((await read()).note));
      const watched: ConfigGroup = { ...vault, onSaved };
      await saveSettings(watched, { note: 'kept' });
      expect(onSaved).toHaveBeenCalledTimes(1);

      await saveDuring(watched, { host: '8.8.8.8' }, (tries) =>
        saveSettings(vault, { host: `8.8.4.${tries}` }),
      );
      expect(onSaved).toHaveBeenCalledTimes(4);

      await removeSettings(watched);
      expect(onSaved).toHaveBeenCalledTimes(5);
      expect((await Promise.all(onSaved.mock.results.map(({ value }) => value))).length).toBe(5);
      expect(seen[0]).toBe('kept');
    });
  });
}
