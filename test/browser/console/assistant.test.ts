import { beforeAll, describe, expect } from '@jest/globals';
import type { OpenAiDouble } from '../../doubles/openai.ts';
import { browserTest } from '../chromium.ts';
import { useDesk } from './fixture.ts';
import { holdAnswer } from './hold.ts';
import { settingsOf, startProvider } from './provider.ts';

let provider: OpenAiDouble;
const desk = useDesk(
  async () => {
    provider = await startProvider();
    return {};
  },
  () => provider?.stop(),
);
beforeAll(() => desk.call('system/setting/config/save', settingsOf(provider)));

async function addDraft(): Promise<string> {
  const body = { title: 'A draft', category: 'news', content: '<p>text</p>', status: 'disabled' };
  return Object(await desk.call('article/article/add', body)).id;
}

describe('the assistant', () => {
  browserTest(
    'publishes an article once the operator agrees, also if another page is shown then',
    async () => {
      const id = await addDraft();
      const readStatus = async () => Object(await desk.call(`article/article/detail?id=${id}`)).status;
      provider.script(
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
      await card.getByText('Enable the article “A draft”').waitFor();
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
