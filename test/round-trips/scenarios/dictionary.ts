import { type Kit, newName } from '../kit.ts';
import type { RequestScenarios } from '../scenario.ts';

const types = '/adminapi/system/setting/dict/type';
const items = '/adminapi/system/setting/dict/data';
const read = { type: 'bank_kind,source_channel' };

async function addType({ admin, ask }: Kit): Promise<{ type_key: string; version: number }> {
  const type_key = newName();
  const { version } = await ask(admin.post(`${types}/add`, { type_key, name: 'Type', enabled: true }));
  return { type_key, version: Number(version) };
}

async function addItem(kit: Kit): Promise<{ type_key: string; value: string; version: number }> {
  const { type_key } = await addType(kit);
  const value = 'first';
  const { version } = await kit.ask(kit.admin.post(`${items}/add`, { type_key, value, name: 'Item' }));
  return { type_key, value, version: Number(version) };
}

/** Dictionaries, read and maintained. */
export const dictionaryScenarios: RequestScenarios = {
  'system-admin-config-dict': ({ admin }) => admin.get('/adminapi/system/config/dict', read),
  'system-api-config-dict': ({ guest }) => guest.get('/api/system/config/dict', read),
  'system-admin-setting-dict-type-list': ({ admin }) => admin.get(`${types}/list`),
  'system-admin-setting-dict-type-all': ({ admin }) => admin.get(`${types}/all`),
  'system-admin-setting-dict-type-detail': ({ admin }) =>
    admin.get(`${types}/detail`, { type_key: 'bank_kind' }),
  'system-admin-setting-dict-type-add': ({ admin }) =>
    admin.post(`${types}/add`, { type_key: newName(), name: 'Type', enabled: true }),
  'system-admin-setting-dict-type-edit': async (kit) =>
    kit.admin.post(`${types}/edit`, { ...(await addType(kit)), name: 'Other' }),
  'system-admin-setting-dict-type-delete': async (kit) =>
    kit.admin.post(`${types}/delete`, { type_key: (await addType(kit)).type_key }),
  'system-admin-setting-dict-data-list': ({ admin }) => admin.get(`${items}/list`, { type_key: 'bank_kind' }),
  'system-admin-setting-dict-data-detail': async (kit) => {
    const { type_key, value } = await addItem(kit);
    return kit.admin.get(`${items}/detail`, { type_key, value });
  },
  'system-admin-setting-dict-data-revisions': async (kit) => {
    const { type_key, value, version } = await addItem(kit);
    await kit.ask(kit.admin.post(`${items}/edit`, { type_key, value, version, name: 'Other' }));
    return kit.admin.get(`${items}/revisions`, { type_key, value });
  },
  'system-admin-setting-dict-data-add': async (kit) => {
    const { type_key } = await addType(kit);
    return kit.admin.post(`${items}/add`, { type_key, value: 'first', name: 'Item' });
  },
  'system-admin-setting-dict-data-edit': async (kit) =>
    kit.admin.post(`${items}/edit`, { ...(await addItem(kit)), name: 'Other' }),
  'system-admin-setting-dict-data-edit value': async (kit) =>
    kit.admin.post(`${items}/edit`, { ...(await addItem(kit)), new_value: 'second' }),
  'system-admin-setting-dict-data-delete': async (kit) => {
    const { type_key, value } = await addItem(kit);
    return kit.admin.post(`${items}/delete`, { type_key, value });
  },
  'system-admin-setting-dict-data-import': async (kit) => {
    const { type_key } = await addItem(kit);
    const imported = ['second', 'third'].map((value) => ({ value, name: value }));
    return kit.admin.post(`${items}/import`, { type_key, items: imported, mode: 'replace' });
  },
};
