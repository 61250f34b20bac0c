import { describe, expect, test } from '@jest/globals';
import { getAdmin } from '#modules/System/admins/admins.ts';
import { currentCost } from '#shared/auth/password.ts';
import { getItem } from '#shared/db/items.ts';
import { getDictItem, listDictItems } from '#shared/dict/items.ts';
import { getDictType } from '#shared/dict/types.ts';
import { outcomesOf, randomLetters } from '../../support/database.ts';
import { keys } from '../../support/keys.ts';
import { address, createAdmin, findCaller, password } from './administrator-fixture.ts';
import { createTypeWith, newItem, readStored } from './dictionary-fixture.ts';
import { throughProxy } from './engine-proxy.ts';

/** Runs `work`; every write loses its first answer. Returns the number of writes. */
async function losingAnswers(work: () => Promise<void>): Promise<number> {
  let requests = 0;
  await throughProxy((operation) => {
    if (!/^(Transact|Update|Delete|Put)/.test(operation)) return 'pass';
    requests += 1;
    return requests % 2 === 1 ? 'lose' : 'pass';
  }, work);
  return requests / 2;
}

/** Writes that happen but whose answers are lost. */
export function describeLostAnswers(): void {
  describe('a lost answer', () => {
    test('refuses no write of dictionary types and repeats none', async () => {
      const [kept, deleted] = [randomLetters(), randomLetters()];

      const writes = await losingAnswers(async () => {
        const { addDictType, deleteDictType, editDictType } = await import('#shared/dict/types.ts');
        for (const type_key of [kept, deleted]) await addDictType({ type_key, name: 't', enabled: true });
        await expect(editDictType(kept, 1, { name: 'new' })).resolves.toMatchObject({ version: 2 });
        await deleteDictType(deleted);
      });

      expect(writes).toBe(4);
      expect(await getDictType(kept)).toMatchObject({ name: 'new', version: 2 });
      expect(await outcomesOf([getDictType(deleted)])).toEqual(['dict.type_not_found']);
    });

    test('refuses no write of dictionary items and repeats none', async () => {
      const typeKey = await createTypeWith(['edited', 'old', 'deleted']);

      const writes = await losingAnswers(async () => {
        const items = await import('#shared/dict/items.ts');
        const { importDictItems } = await import('#shared/dict/import.ts');
        await items.addDictItem(newItem(typeKey, 'added'));
        await items.editDictItem(typeKey, 'edited', 1, { name: 'new' });
        await items.changeDictValue(typeKey, 'old', 1, { new_value: 'changed', force: false });
        await items.deleteDictItem(typeKey, 'deleted', false);
        await importDictItems(typeKey, [{ value: 'imported', name: 'i' }], 'merge');
      });

      // The import takes its lock first.
      expect(writes).toBe(6);
      const values = ['added', 'changed', 'edited', 'imported'];
      expect(await readStored(typeKey)).toEqual({ values, item_count: values.length });
      const versions = (await listDictItems(typeKey)).map(({ version }) => version);
      expect(versions).toEqual([1, 2, 2, 1]);
      expect(await getDictItem(typeKey, 'edited')).toMatchObject({ name: 'new' });
    });

    test('keeps the code of a refusal', async () => {
      const typeKey = await createTypeWith(['a']);
      let outcomes: string[] = [];

      await losingAnswers(async () => {
        const types = await import('#shared/dict/types.ts');
        const { addDictItem, editDictItem } = await import('#shared/dict/items.ts');
        const writes = [
          () => types.addDictType({ type_key: typeKey, name: 't', enabled: true }),
          () => types.editDictType(typeKey, 2, { name: 'new' }),
          () => types.deleteDictType(typeKey),
          () => addDictItem(newItem(typeKey, 'a')),
          () => editDictItem(typeKey, 'a', 2, { name: 'new' }),
        ];
        for (const write of writes) outcomes = [...outcomes, ...(await outcomesOf([write()]))];
      });

      expect(outcomes).toEqual([
        'dict.type_exists',
        'version_conflict',
        'dict.type_not_empty',
        'dict.value_exists',
        'version_conflict',
      ]);
      expect(await getDictType(typeKey)).toMatchObject({ version: 1, item_count: 1 });
    });

    test('still grants a single use once', async () => {
      const id = randomLetters();
      const answers: boolean[] = [];

      const writes = await losingAnswers(async () => {
        const { redeemTokens } = await import('#shared/db/single-use.ts');
        const expiresAt = Math.floor(Date.now() / 1000) + 3_600;
        answers.push(
          await redeemTokens('test', [{ id, expiresAt }]),
          await redeemTokens('test', [{ id, expiresAt }]),
        );
      });

      expect([answers, writes]).toEqual([[true, false], 2]);
    });

    test('refuses no write of administrators and sessions and repeats none', async () => {
      const account = randomLetters();
      const { id: deleted } = await createAdmin();
      const readCount = async () => Number((await getItem(keys.counter('ADMIN_ENABLED')))?.count);
      const before = await readCount();
      const tokens: string[] = [];
      let id = '';

      const writes = await losingAnswers(async () => {
        const others = await import('#shared/auth/password.ts');
        others.currentCost.ln = currentCost.ln;
        const admins = await import('#modules/System/admins/admins.ts');
        const { loginAdmin } = await import('#modules/System/admins/admin-login.ts');
        const { endSession } = await import('#shared/auth/session.ts');
        ({ id } = await admins.addAdmin({ account, name: 'n', password: 'first password' }));
        await admins.editAdmin(id, { status: 'disabled' });
        await admins.editAdmin(id, { status: 'enabled', name: 'new' });
        await admins.setAdminPassword(id, password);
        for (const _ of ['ended', 'kept']) tokens.push((await loginAdmin(account, password, address)).token);
        const { session } = await findCaller(String(tokens[0]));
        await endSession(session.id);
        await admins.deleteAdmin(deleted);
      });

      expect(writes).toBe(8);
      expect(await readCount()).toBe(before);
      expect(await getAdmin(id)).toMatchObject({ name: 'new', status: 'enabled', last_login_ip: address });
      expect(await outcomesOf(tokens.map(findCaller))).toEqual(['auth.token_revoked', 'done']);
      expect(await outcomesOf([getAdmin(deleted)])).toEqual(['admin.not_found']);
    });
  });
}
