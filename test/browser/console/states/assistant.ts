import type { OpenAiDouble } from '../../../doubles/openai.ts';
import { settingsOf } from '../provider.ts';
import type { States } from './state.ts';

/** @param findProvider the provider that the assistant asks */
export const assistantOf = (findProvider: () => OpenAiDouble): States => ({
  'the assistant with a card to be confirmed': {
    path: 'system/assistant',
    async open({ page }, desk) {
      const provider = findProvider();
      await desk.call('system/setting/config/save', settingsOf(provider));
      const body = { title: 'A draft', category: 'news', content: '<p>text</p>', status: 'disabled' };
      const { id } = Object(await desk.call('article/article/add', body));
      const call = { name: 'article__set_status', arguments: { id, status: 'enabled' } };
      provider.script({ content: 'I would.', calls: [call] });
      await page.reload();
      await page.getByRole('textbox', { name: 'Message' }).fill('Publish the draft');
      await page.keyboard.press('Enter');
      await page.getByRole('region', { name: 'article.set_status' }).getByText(id).waitFor();
      return page.locator('#content');
    },
  },
});
