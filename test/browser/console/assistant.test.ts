import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { browserTest } from '../chromium.ts';
import { holdAnswer } from './hold.ts';
import { addHolder } from './holders.ts';
import { settingsOf, useDeskWithProvider } from './provider.ts';

const { desk, findProvider } = useDeskWithProvider();
beforeAll(() => desk.call('system/setting/config/save', settingsOf(findProvider())));

async function addDraft(): Promise<string> {
  const body = { title: 'A draft', category: 'news', content: '<p>text</p>', status: 'disabled' };
  return Object(await desk.call('article/article/add', body)).id;
}

describe('the assistant without a key', () => {
  const enabled = (values: object) => desk.call('system/setting/config/save', { group: 'ai', values });
  beforeAll(() => enabled({ enabled: false }));
  afterAll(() => enabled({ enabled: true }));

  browserTest('links to its settings for those who may change them', async () => {
    const { page } = await desk.open({ path: 'system/assistant' });
    await page.getByRole('link', { name: 'Open its settings' }).click();

    await page.getByRole('switch', { name: 'Turn the assistant on' }).waitFor({ state: 'attached' });
  });

  browserTest('says whom to ask to all others, once they have asked', async () => {
    const as = await addHolder(desk, ['system/ai:write']);
    const { page, expects } = await desk.open({ path: 'system/assistant', as });
    expects('503 POST /adminapi/system/ai/mcp/chat');
    await page.getByRole('textbox', { name: 'Message' }).fill('Hello');
    await page.keyboard.press('Enter');

    await page.getByText('Ask an administrator who may change the system settings').waitFor();
    expect(await page.getByRole('link', { name: 'Open its settings' }).count()).toBe(0);
  });
});

describe('the assistant', () => {
  browserTest(
    'publishes an article once the operator agrees, also if another page is shown then',
    async () => {
      const id = await addDraft();
      const readStatus = async () => Object(await desk.call(`article/article/detail?id=${id}`)).status;
      findProvider().script(
        {
          content: 'I would.',
          calls: [{ name: 'article__set_status', arguments: { id, status: 'enabled' } }],
        },
        { content: 'It is public now.' },
      );
      const { page } = await desk.open({ path: 'system/assistant' });
      await page.getByRole('textbox', { name: 'Message' }).fill('Publish the draft');
      await page.keyboard.press('Enter');
      const card = page.getByRole('region', { name: 'article.set_status' });
      await card.getByText('Publish the article “A draft”').waitFor();
      await card.getByText(id).waitFor();
      expect(await readStatus()).toBe('disabled');

      const release = await holdAnswer(page, /ai\/mcp\/chat/);
      await card.getByRole('button', { name: 'Confirm' }).click();
      const menu = page.locator('.shell-side');
      await menu.getByRole('link', { name: 'Files' }).click();
      await page.getByRole('heading', { name: 'Files' }).waitFor();
      await release();
      await menu.getByRole('link', { name: 'Assistant' }).click();

      await page.getByText('It is public now.').waitFor();
      await card.getByText('Done', { exact: true }).waitFor();
      expect(await readStatus()).toBe('enabled');
    },
  );
});
