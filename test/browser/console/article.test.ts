import { describe, expect } from '@jest/globals';
import * as z from 'zod/mini';
import { validFiles } from '../../fixtures/hostile/files.ts';
import { browserTest } from '../chromium.ts';
import { useDesk } from './fixture.ts';
import { addHolder } from './holders.ts';

// An article, written with the editor and with a picture from the files.

const desk = useDesk();
const path = 'article/article';
const content = '<p>text</p>';

async function addArticle(title: string, more: object = {}): Promise<{ id: string; version: number }> {
  const added = await desk.call('article/article/add', { title, category: 'news', content, ...more });
  return z.parse(z.object({ id: z.string(), version: z.number() }), added);
}

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

  browserTest('takes a picture that is dropped on the dialog', async () => {
    const { page } = await desk.open({ path });
    await page.getByRole('button', { name: 'Add an article' }).click();
    const form = page.getByRole('dialog', { name: 'Add an article' });
    await form.getByRole('button', { name: 'Choose a file' }).first().click();
    const picker = page.getByRole('dialog', { name: 'Choose from the files' });
    await picker.getByRole('button', { name: 'Upload files' }).waitFor();
    const dataTransfer = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      const bytes = Uint8Array.fromBase64('${validFiles.png.toString('base64')}');
      transfer.items.add(new File([bytes], 'dropped.png', { type: 'image/png' }));
      return transfer;
    })()`);

    await page.dispatchEvent('body', 'dragover', { dataTransfer });
    await page.getByText('Drop the files to upload them').waitFor();
    await page.dispatchEvent('body', 'drop', { dataTransfer });

    await picker.getByRole('button', { name: 'Show dropped.png' }).waitFor();
  });

  browserTest('has an address for its picture, if the operator may not see the files', async () => {
    const as = await addHolder(desk, ['article:write']);
    const { page } = await desk.open({ path, as });
    await page.getByRole('button', { name: 'Add an article' }).click();
    const form = page.getByRole('dialog', { name: 'Add an article' });

    await form.locator('input[inputmode=url]').first().waitFor();

    expect(await form.getByRole('button', { name: 'Choose a file' }).count()).toBe(0);
  });

  browserTest('with markup that the editor would remove opens as HTML, and keeps it', async () => {
    const table = '<table><tbody><tr><td style="width:5px">kept</td></tr></tbody></table>';
    await addArticle('A table', { content: table });
    const { page } = await desk.open({ path });

    await page.getByRole('row', { name: 'A table' }).getByRole('button', { name: 'Edit' }).click();
    const form = page.getByRole('dialog', { name: /^Edit an article/ });
    await form.getByText('table, tbody, tr, td, td[style]').waitFor();
    expect(await form.getByRole('textbox', { name: 'Content' }).inputValue()).toBe(table);
    await form.getByLabel('Title').fill('A kept table');
    await form.getByRole('button', { name: 'Save' }).click();

    await page.getByRole('row', { name: 'A kept table' }).waitFor();
    const { list } = Object(await desk.call('article/article/list'));
    const { id } = list.find(({ title }: { title: string }) => title === 'A kept table');
    expect(await desk.call(`article/article/detail?id=${id}`)).toMatchObject({ content: table });
  });

  browserTest('is withdrawn and published by a switch, after a question', async () => {
    const { id } = await addArticle('On and off');
    const { page } = await desk.open({ path });
    const isPublic = page.getByRole('switch', { name: '“On and off” is published' });
    const answer = async (question: string, button: string) => {
      await isPublic.press('Space');
      const dialog = page.getByRole('dialog', { name: question });
      await dialog.getByRole('button', { name: button }).click();
      await dialog.waitFor({ state: 'hidden' });
    };

    await answer('Withdraw', 'Cancel');
    expect(await desk.call(`article/article/detail?id=${id}`)).toMatchObject({ status: 'enabled' });
    await answer('Withdraw', 'Withdraw');
    await page
      .getByRole('switch', { name: '“On and off” is published', checked: false })
      .waitFor({ state: 'attached' });
    expect(await desk.call(`article/article/detail?id=${id}`)).toMatchObject({ status: 'disabled' });
    await answer('Publish', 'Publish');
    await page.getByText('Done: Publish or withdraw an article').nth(1).waitFor();
    expect(await desk.call(`article/article/detail?id=${id}`)).toMatchObject({ status: 'enabled' });
  });

  browserTest('shows no switch to an operator who may only read', async () => {
    await addArticle('For readers');
    const as = await addHolder(desk, ['article:read']);
    const { page } = await desk.open({ path, as });

    await page.getByRole('row', { name: 'For readers' }).getByText('Published', { exact: true }).waitFor();

    expect(await page.getByRole('switch').count()).toBe(0);
  });

  browserTest('is previewed before it is saved, in a frame that can do nothing', async () => {
    await addArticle('Old title', { content: '<p>What readers see</p>' });
    const { page } = await desk.open({ path });
    await page.getByRole('button', { name: 'Edit Old title' }).click();
    const form = page.getByRole('dialog', { name: /^Edit an article/ });
    await form.getByLabel('Title').fill('New title');

    await form.getByRole('button', { name: 'Preview' }).click();

    const preview = page.getByRole('dialog', { name: 'Preview' });
    await preview.getByRole('heading', { name: 'New title' }).waitFor();
    const frame = preview.locator('iframe');
    await frame.contentFrame().getByText('What readers see').waitFor();
    expect(await frame.getAttribute('sandbox')).toBe('');
  });

  browserTest('asks before changes are left', async () => {
    await addArticle('Half written');
    const { page } = await desk.open();
    await page.locator('.shell-side').getByRole('link', { name: 'Articles' }).click();
    await page.getByRole('button', { name: 'Edit Half written' }).click();
    const form = page.getByRole('dialog', { name: /^Edit an article/ });
    await form.getByLabel('Summary').fill('More than before');

    await page.goBack();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Stay' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await form.getByLabel('Summary').inputValue()).toBe('More than before');
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Discard changes' }).click();

    await form.waitFor({ state: 'hidden' });
  });

  browserTest('that another operator has changed meanwhile is compared by field', async () => {
    const { id, version } = await addArticle('In conflict');
    const { page, expects } = await desk.open({ path });
    expects('409 POST /adminapi/article/article/edit');
    await page.getByRole('button', { name: 'Edit In conflict' }).click();
    const form = page.getByRole('dialog', { name: /^Edit an article/ });
    await form.getByLabel('Title').fill('Mine');
    await desk.call('article/article/edit', { id, version, title: 'Theirs', summary: 'Their summary' });

    await form.getByRole('button', { name: 'Save' }).click();
    const conflict = page.getByRole('dialog', { name: 'This was changed by another operator meanwhile' });
    await conflict.getByText('Their summary').waitFor();
    await conflict.getByRole('radiogroup', { name: 'Title' }).getByText('Theirs').waitFor();
    await conflict.getByRole('button', { name: 'Save my choice' }).click();

    await page.getByRole('row', { name: 'Mine' }).waitFor();
    const stored = await desk.call(`article/article/detail?id=${id}`);
    expect(stored).toMatchObject({ title: 'Mine', summary: 'Their summary' });
  });
});
