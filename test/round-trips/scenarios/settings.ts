import { newName } from '../kit.ts';
import type { RequestScenarios } from '../scenario.ts';

const base = '/adminapi/system/setting/config';

export const settingScenarios: RequestScenarios = {
  'system-admin-setting-config-list': ({ admin }) => admin.get(`${base}/list`),
  'system-admin-setting-config-save': ({ admin }) =>
    admin.post(`${base}/save`, { group: 'basics', values: { site_name: newName() } }),
  'system-admin-setting-config-revisions': ({ admin }) => admin.get(`${base}/revisions`, { group: 'basics' }),
  'system-admin-setting-config-test': async ({ admin, useModel }) => {
    await useModel();
    return admin.post(`${base}/test`, { group: 'ai', values: {} });
  },
};
