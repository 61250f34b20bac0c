import { type Kit, newName } from '../kit.ts';
import type { RequestScenarios } from '../scenario.ts';

const base = '/adminapi/system/view';
const page = 'system/file';
const newView = () => ({ page, name: newName(), query: 'type=image', columns: null });

async function addView({ admin, ask }: Kit): Promise<string> {
  return String((await ask(admin.post(`${base}/add`, newView()))).id);
}

/** Views of pages of the console. */
export const viewScenarios: RequestScenarios = {
  'system-admin-view-list': ({ admin }) => admin.get(`${base}/list`, { page }),
  'system-admin-view-add': ({ admin }) => admin.post(`${base}/add`, newView()),
  'system-admin-view-edit': async (kit) =>
    kit.admin.post(`${base}/edit`, { page, id: await addView(kit), name: newName(), version: 1 }),
  'system-admin-view-delete': async (kit) =>
    kit.admin.post(`${base}/delete`, { page, id: await addView(kit) }),
};
