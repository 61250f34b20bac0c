import { describe, expect } from '@jest/globals';
import { validFiles } from '../../fixtures/hostile/files.ts';
import { browserTest } from '../chromium.ts';
import { useDesk } from './fixture.ts';

// An article, written with the editor and with a picture from the files.

const desk = useDesk();
const path = 'article/article';

describe('an article', () => {
  browserTest(
    'is written with a picture that is uploaded in the dialog, and shows its history',
    async () => {
      const { page } = await desk.open({ path });
      await page.getByRole('button', { name: 'Add an article' }).click();
      const form = page.getByRole('dialog', { name: 'Add an article' });
      await form.getByLabel('Title').fill('A day at the lake');
      await form.locator('.el-select').first().click();
      await page.getByRole('option').first().click();

      const text = form.getByRole('textbox', { name: 'Content' });
      await text.click();
      await page.keyboard.type('At the water');
      await form.getByRole('button', { name: 'Heading 2' }).click();
      await form.getByRole('button', { name: 'Picture', exact: true }).click();
      const picker = page.getByRole('dialog', { name: 'Choose from the files' });
      await picker
        .locator('input[type=file]')
        .setInputFiles({ name: 'lake.png', mimeType: 'image/png', buffer: validFiles.png });
      await picker.getByRole('button', { name: 'Show lake.png' }).click();
      await text.locator('img').waitFor();
      await form.getByRole('button', { name: 'Save' }).click();

      const row = page.getByRole('row', { name: 'A day at the lake' });
      await row.waitFor();
      const { list } = Object(await desk.call('article/article/list'));
      const { content } = Object(await desk.call(`article/article/detail?id=${list[0].id}`));
      expect(content).toMatch(/^<h2>At the water<\/h2>.*<img src="http[^"]*\/storage\/[^"]+"/);

      await row.getByText('A day at the lake').click();
      await page.getByRole('tab', { name: 'History' }).click();
      await page.getByRole('cell', { name: 'Add an article' }).waitFor();
    },
    60_000,
  );

  browserTest('with markup that the editor would remove opens as HTML, and keeps it', async () => {
    const content = '<table><tbody><tr><td style="width:5px">kept</td></tr></tbody></table>';
    await desk.call('article/article/add', { title: 'A table', category: 'news', content });
    const { page } = await desk.open({ path });

    await page.getByRole('row', { name: 'A table' }).getByRole('button', { name: 'Edit' }).click();
    const form = page.getByRole('dialog', { name: /^Edit an article/ });
    await form.getByText('table, tbody, tr, td, td[style]').waitFor();
    expect(await form.getByRole('textbox', { name: 'Content' }).inputValue()).toBe(content);
    await form.getByLabel('Title').fill('A kept table');
    await form.getByRole('button', { name: 'Save' }).click();

    await page.getByRole('row', { name: 'A kept table' }).waitFor();
    const { list } = Object(await desk.call('article/article/list'));
    const { id } = list.find(({ title }: { title: string }) => title === 'A kept table');
    expect(await desk.call(`article/article/detail?id=${id}`)).toMatchObject({ content });
  });
});
