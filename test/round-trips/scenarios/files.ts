import { validFiles } from '../../fixtures/hostile/files.ts';
import { type Kit, newName } from '../kit.ts';
import type { RequestScenarios } from '../scenario.ts';

const base = '/adminapi/system/file';

async function addFile({ admin, ask }: Kit): Promise<{ id: string; url: string }> {
  const request = await admin.upload('/adminapi/system/upload/file', { type: 'image' }, validFiles.png);
  const { id, url } = await ask(request);
  return { id: String(id), url: String(url) };
}

async function addCategory({ admin, ask }: Kit): Promise<string> {
  return String((await ask(admin.post(`${base}/category/add`, { name: newName(), type: 'image' }))).id);
}

/** Files that were uploaded, and their categories. */
export const fileScenarios: RequestScenarios = {
  'system-admin-file-list': ({ admin }) => admin.get(`${base}/list`, { type: 'image' }),
  'system-admin-file-list keyword': ({ admin }) => admin.get(`${base}/list`, { keyword: 'a' }),
  'system-admin-file-detail': async (kit) => kit.admin.get(`${base}/detail`, { id: (await addFile(kit)).id }),
  'system-admin-file-url': async (kit) => kit.admin.get(`${base}/url`, { id: (await addFile(kit)).id }),
  'system-admin-file-rename': async (kit) =>
    kit.admin.post(`${base}/rename`, { id: (await addFile(kit)).id, name: 'other.png' }),
  'system-admin-file-move': async (kit) => {
    const ids = [(await addFile(kit)).id, (await addFile(kit)).id];
    return kit.admin.post(`${base}/move`, { ids, cid: await addCategory(kit) });
  },
  'system-admin-file-delete': async (kit) => {
    const ids = [(await addFile(kit)).id, (await addFile(kit)).id];
    return kit.admin.post(`${base}/delete`, { ids });
  },
  'system-admin-file-category-list': ({ admin }) => admin.get(`${base}/category/list`, { type: 'image' }),
  'system-admin-file-category-add': ({ admin }) =>
    admin.post(`${base}/category/add`, { name: newName(), type: 'image' }),
  'system-admin-file-category-edit': async (kit) =>
    kit.admin.post(`${base}/category/edit`, { id: await addCategory(kit), name: newName() }),
  'system-admin-file-category-delete': async (kit) =>
    kit.admin.post(`${base}/category/delete`, { id: await addCategory(kit) }),
  'system-web-storage-path': async (kit) => kit.guest.get(new URL((await addFile(kit)).url).pathname),
  'system-web-storage-variants-path': async (kit) => {
    const { pathname } = new URL((await addFile(kit)).url);
    return kit.guest.get(pathname.replace('/storage/', '/storage/variants/local/thumb/'));
  },
};
