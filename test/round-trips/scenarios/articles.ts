import type { Kit } from '../kit.ts';
import type { RequestScenarios } from '../scenario.ts';

const base = '/adminapi/article/article';
const published = '/api/article/article';
const article = { title: 'Title', category: 'news', content: '<p>text</p>', status: 'enabled' };

async function add({ admin, ask }: Kit): Promise<{ id: string; version: number }> {
  const { id, version } = await ask(admin.post(`${base}/add`, article));
  return { id: String(id), version: Number(version) };
}

export const articleScenarios: RequestScenarios = {
  'article-admin-article-list': ({ admin }) => admin.get(`${base}/list`),
  'article-admin-article-detail': async (kit) => kit.admin.get(`${base}/detail`, { id: (await add(kit)).id }),
  'article-admin-article-revisions': async (kit) => {
    const { id, version } = await add(kit);
    await kit.ask(kit.admin.post(`${base}/edit`, { id, version, title: 'Other' }));
    return kit.admin.get(`${base}/revisions`, { id });
  },
  'article-admin-article-add': ({ admin }) => admin.post(`${base}/add`, article),
  'article-admin-article-edit': async (kit) =>
    kit.admin.post(`${base}/edit`, { ...(await add(kit)), title: 'Other', category: 'help' }),
  'article-admin-article-status': async (kit) =>
    kit.admin.post(`${base}/status`, { id: (await add(kit)).id, status: 'disabled' }),
  'article-admin-article-delete': async (kit) =>
    kit.admin.post(`${base}/delete`, { id: (await add(kit)).id }),
  'article-api-article-list': ({ user }) => user.get(`${published}/list`),
  'article-api-article-detail': async (kit) =>
    kit.user.get(`${published}/detail`, { id: (await add(kit)).id }),
};
