import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import * as z from 'zod/mini';
import { validFiles } from '../../fixtures/hostile/files.ts';
import { browserTest } from '../chromium.ts';
import { useDesk } from './fixture.ts';
import { addHolder } from './holders.ts';
import { paste } from './paste.ts';

// An article, written with the editor and with a picture from the files.

const desk = useDesk();
const path = 'article/article';
const content = '<p>text</p>';

async function addArticle(title: string, more: object = {}): Promise<{ id: string; version: number }> {
  const added = await desk.call('article/article/add', { title, category: 'news', content, ...more });
  return z.parse(z.object({ id: z.string(), version: z.number() }), added);
}

/** Drafts that the browser keeps. */
const countDrafts = (page: Page) =>
  page.evaluate("Object.keys(localStorage).filter((name) => name.startsWith('console.draft.')).length");

describe('an article', () => {
  browserTest(
    'is written with a picture that is uploaded in the dialog, and shows its history',
    async () => {
      const { page } = await desk.open({ path });
      await page.getByRole('button', { name: 'Add an article' }).click();
      const form = page.getByRole('region', { name: 'Add an article' });
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
      await text.locator('img[src]').waitFor();
      await form.getByRole('button', { name: 'Save and publish' }).click();

      const row = page.getByRole('row', { name: 'A day at the lake' });
      await row.waitFor();
      const { list } = Object(await desk.call('article/article/list'));
      const { content } = Object(await desk.call(`article/article/detail?id=${list[0].id}`));
      expect(content).toMatch(/^<h2>At the water<\/h2>.*<img src="http[^"]*\/storage\/[^"]+"/);

      await row.getByText('A day at the lake').click();
      await page.getByRole('tab', { name: 'History' }).click();
      await page.getByRole('tabpanel', { name: 'History' }).getByText('Add an article').waitFor();
    },
    60_000,
  );

  browserTest('takes a picture that is dropped on the dialog', async () => {
    const { page } = await desk.open({ path });
    await page.getByRole('button', { name: 'Add an article' }).click();
    const form = page.getByRole('region', { name: 'Add an article' });
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
    const form = page.getByRole('region', { name: 'Add an article' });

    await form.locator('input[inputmode=url]').first().waitFor();

    expect(await form.getByRole('button', { name: 'Choose a file' }).count()).toBe(0);
  });

  browserTest('with a table opens as text, and is saved as it was', async () => {
    const table = '<table><tbody><tr><td style="width:50px">kept</td></tr></tbody></table>';
    const { id } = await addArticle('A table', { content: table });
    const { page } = await desk.open({ path });

    await page.getByRole('button', { name: 'Edit A table' }).click();
    const form = page.getByRole('region', { name: /^Edit an article/ });
    const text = form.getByRole('textbox', { name: 'Content' });
    await text.getByRole('cell', { name: 'kept' }).click();
    await page.keyboard.type('!');
    await form.getByRole('button', { name: 'Row below' }).click();
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await form.getByText(/^Saved at/).waitFor();

    expect(await desk.call(`article/article/detail?id=${id}`)).toMatchObject({
      content: expect.stringMatching(
        /^<table><tbody><tr><td style="width:50px">(kept!|!kept|ke!pt|k!ept|kep!t)<\/td><\/tr><tr><td>.*<\/td><\/tr><\/tbody><\/table>$/,
      ),
    });
  });

  browserTest('with markup that the editor would remove opens as HTML, and says what it is', async () => {
    const { page } = await desk.open({ path });
    await page.getByRole('button', { name: 'Add an article' }).click();
    const form = page.getByRole('region', { name: 'Add an article' });
    await form.getByRole('button', { name: 'Edit as HTML' }).click();
    await form.getByRole('textbox', { name: 'Content' }).fill('<p id="a">a</p><script>b</script>');

    await form.getByRole('button', { name: 'Edit visually' }).click();

    await form.getByText('p[id], script').waitFor();
  });

  browserTest('takes a document of Word with its table, its list and its picture', async () => {
    const { page } = await desk.open({ path });
    await page.getByRole('button', { name: 'Add an article' }).click();
    const form = page.getByRole('region', { name: 'Add an article' });
    await form.getByLabel('Title').fill('From Word');
    await form.locator('.el-select').first().click();
    await page.getByRole('option').first().click();
    await form.getByRole('textbox', { name: 'Content' }).click();
    const line = (level: number, text: string) =>
      `<p class=MsoListParagraph style='mso-list:l0 level${level} lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·</span><![endif]>${text}<o:p></o:p></p>`;
    const html = `<html><body><!--StartFragment-->${line(1, 'one')}${line(2, 'two')}<table class=MsoTableGrid style='border:none'><tr><td style='width:5pt'><p class=MsoNormal>cell</p></td></tr></table><p><img src="file:///C:/a.png"><img src="data:image/png;base64,${validFiles.png.toString('base64')}"></p><!--EndFragment--></body></html>`;

    await paste(page, { html });
    await form.getByText('picture that is on your computer only').waitFor();
    await form.locator('.ProseMirror img[src*="/storage/"]').waitFor();
    await form.getByRole('button', { name: 'Save draft' }).click();

    // The new article stays open, at its own address.
    const saved = page.getByRole('region', { name: 'Edit an article · From Word' });
    await saved.getByText(/^Saved at/).waitFor();
    const { list } = Object(await desk.call('article/article/list'));
    const stored = Object(await desk.call(`article/article/detail?id=${list[0].id}`));
    expect(page.url()).toMatch(new RegExp(`#edit/${list[0].id}$`));
    expect(stored.status).toBe('disabled');
    expect(stored.content).toMatch(
      /^<ul><li>one<ul><li>two<\/li><\/ul><\/li><\/ul><table><tbody><tr><td>cell<\/td><\/tr><\/tbody><\/table><p><img src="[^"]*storage\/[^"]+"( alt="")?><\/p>$/,
    );
  });

  browserTest('marks the place of a picture that cannot be uploaded, which can be tried again', async () => {
    const { page, expects } = await desk.open({ path });
    await page.getByRole('button', { name: 'Add an article' }).click();
    const form = page.getByRole('region', { name: 'Add an article' });
    await form.getByRole('textbox', { name: 'Content' }).click();
    const upload = '**/adminapi/system/upload/file';
    const refusal = { code: 'upload.too_large', message: 'Too large', data: null, errors: [] };
    expects('413 POST /adminapi/system/upload/file');
    await page.route(upload, (route) => route.fulfill({ status: 413, json: refusal }));

    await paste(page, { file: validFiles.png.toString('base64') });
    await form.getByRole('alert').getByText('Too large').waitFor();
    await page.unroute(upload);
    await form.getByRole('button', { name: 'Try again: shot.png' }).click();

    await form.locator('.ProseMirror img[src*="/storage/"]').waitFor();
    expect(await form.locator('.picture-place').count()).toBe(0);
  });

  browserTest(
    'is kept in the browser until it is saved, and compared if it was saved meanwhile',
    async () => {
      const { id, version } = await addArticle('Kept');
      const { page, expects } = await desk.open({ path: `${path}#edit/${id}` });
      const form = page.getByRole('region', { name: /^Edit an article/ });
      await form.getByLabel('Summary').fill('Mine');
      await form.getByText(/kept in this browser/).waitFor();
      await desk.call('article/article/edit', { id, version, title: 'Kept by others' });

      page.on('dialog', (dialog) => void dialog.accept());
      await page.reload();
      await form.getByText('This browser has changes that were not saved').waitFor();
      await form.getByText('The record was saved again after them').waitFor();
      expect(await form.getByLabel('Summary').inputValue()).toBe('');
      await form.getByRole('button', { name: 'Restore changes' }).click();
      expect(await form.getByLabel('Summary').inputValue()).toBe('Mine');
      expects('409 POST /adminapi/article/article/edit');
      await form.getByRole('button', { name: 'Save', exact: true }).click();
      const conflict = page.getByRole('dialog', { name: 'This was changed by another operator meanwhile' });
      await conflict.getByRole('button', { name: 'Save my choice' }).click();
      await form.getByText(/^Saved at/).waitFor();

      expect(await desk.call(`article/article/detail?id=${id}`)).toMatchObject({
        title: 'Kept by others',
        summary: 'Mine',
      });
      expect(await countDrafts(page)).toBe(0);
    },
  );

  browserTest('leaves no draft in the browser of who logs out', async () => {
    const { id } = await addArticle('Left');
    const { page } = await desk.open({ path: `${path}#edit/${id}` });
    const logOut = async (answer: string) => {
      await page.getByRole('button', { name: 'root' }).click();
      await page.getByRole('menuitem', { name: 'Log out' }).click();
      await page.getByRole('dialog').getByText('the drafts that this browser keeps for you (2)').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: answer }).click();
    };
    const write = async (tab: Page) => {
      const form = tab.getByRole('region', { name: /^Edit an article/ });
      await form.getByLabel('Summary').fill('For me alone');
      await form.getByText(/kept in this browser/).waitFor();
      return form;
    };
    await write(page);
    const other = await page.context().newPage();
    await other.goto(`${desk.url}/console/${path}#edit/${(await addArticle('Left beside')).id}`);
    const beside = await write(other);
    await page.bringToFront();

    await logOut('Stay');
    expect(await countDrafts(page)).toBe(2);
    // What is typed just before it is not kept either.
    await beside.getByLabel('Summary').fill('At the last moment');
    await logOut('Log out');
    await page.waitForURL(/console\/login/);
    await other.waitForURL(/console\/login/);

    expect(await countDrafts(page)).toBe(0);
  });

  browserTest('is withdrawn and published by an action of its row, after a question', async () => {
    const { id } = await addArticle('On and off');
    const { page } = await desk.open({ path });
    const row = page.getByRole('row', { name: 'On and off' });
    const answer = async (question: string, button: string) => {
      await row.getByRole('button', { name: `${question} On and off` }).press('Enter');
      const dialog = page.getByRole('dialog', { name: question });
      await dialog.getByRole('button', { name: button }).click();
      await dialog.waitFor({ state: 'hidden' });
    };

    await answer('Withdraw', 'Cancel');
    expect(await desk.call(`article/article/detail?id=${id}`)).toMatchObject({ status: 'enabled' });
    await answer('Withdraw', 'Withdraw');
    await row.getByText('Not published', { exact: true }).waitFor();
    expect(await desk.call(`article/article/detail?id=${id}`)).toMatchObject({ status: 'disabled' });
    await answer('Publish', 'Publish');
    await page.getByText('Done: Publish or withdraw an article').nth(1).waitFor();
    expect(await desk.call(`article/article/detail?id=${id}`)).toMatchObject({ status: 'enabled' });
  });

  browserTest('that a link opens can be withdrawn if it is published', async () => {
    const { id } = await addArticle('Behind a link');
    const { page } = await desk.open({ path: `${path}#detail/${id}` });
    const detail = page.getByRole('dialog', { name: 'Behind a link' });

    await detail.getByRole('button', { name: 'Withdraw Behind a link' }).click();
    await page.getByRole('dialog', { name: 'Withdraw' }).getByRole('button', { name: 'Withdraw' }).click();

    await page.getByText('Done: Publish or withdraw an article').waitFor();
    expect(await desk.call(`article/article/detail?id=${id}`)).toMatchObject({ status: 'disabled' });
  });

  browserTest('offers no change of its status to an operator who may only read', async () => {
    await addArticle('For readers');
    const as = await addHolder(desk, ['article:read']);
    const { page } = await desk.open({ path, as });

    await page.getByRole('row', { name: 'For readers' }).getByText('Published', { exact: true }).waitFor();

    expect(await page.getByRole('button', { name: /^Withdraw/ }).count()).toBe(0);
  });

  browserTest('is previewed before it is saved, in a frame that can do nothing', async () => {
    await addArticle('Old title', { content: '<p>What readers see</p>' });
    const { page } = await desk.open({ path });
    await page.getByRole('button', { name: 'Edit Old title' }).click();
    const form = page.getByRole('region', { name: /^Edit an article/ });
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
    const form = page.getByRole('region', { name: /^Edit an article/ });
    await form.getByLabel('Summary').fill('More than before');

    await page.goBack();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Stay' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await form.getByLabel('Summary').inputValue()).toBe('More than before');
    await form.getByRole('button', { name: 'Back' }).click();
    await question.getByRole('button', { name: 'Discard changes' }).click();

    await form.waitFor({ state: 'hidden' });
  });

  browserTest('that another operator has changed meanwhile is compared by field', async () => {
    const { id, version } = await addArticle('In conflict');
    const { page, expects } = await desk.open({ path });
    expects('409 POST /adminapi/article/article/edit');
    await page.getByRole('button', { name: 'Edit In conflict' }).click();
    const form = page.getByRole('region', { name: /^Edit an article/ });
    await form.getByLabel('Title').fill('Mine');
    await desk.call('article/article/edit', { id, version, title: 'Theirs', summary: 'Their summary' });

    await form.getByRole('button', { name: 'Save', exact: true }).click();
    const conflict = page.getByRole('dialog', { name: 'This was changed by another operator meanwhile' });
    await conflict.getByText('Their summary').waitFor();
    await conflict.getByRole('radiogroup', { name: 'Title' }).getByText('Theirs').waitFor();
    await conflict.getByRole('button', { name: 'Save my choice' }).click();

    await form.getByText(/^Saved at/).waitFor();
    const stored = await desk.call(`article/article/detail?id=${id}`);
    expect(stored).toMatchObject({ title: 'Mine', summary: 'Their summary' });
  });
});
