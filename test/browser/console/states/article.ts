import type { Locator, Page } from 'playwright-core';
import { validFiles } from '../../../fixtures/hostile/files.ts';
import type { Desk } from '../fixture.ts';
import { type States, untilShown } from './state.ts';

const path = 'article/article';

const openForm = async (page: Page) => {
  await page.getByRole('button', { name: 'Add an article' }).click();
  const form = await untilShown(page.getByRole('region', { name: 'Add an article' }));
  await form.getByRole('textbox', { name: 'Content' }).click();
  return form;
};

async function addArticle(desk: Desk, title: string, content = '<p>text</p>') {
  const added = await desk.call('article/article/add', { title, category: 'news', content });
  return Object(added) as { id: string; version: number };
}

/** Opens an article that has the content. */
async function openArticle(page: Page, desk: Desk, content?: string) {
  const { id } = await addArticle(desk, 'Opened', content);
  await page.goto(`${desk.url}/console/${path}#edit/${id}`);
  return untilShown(page.getByRole('region', { name: /^Edit an article/ }));
}

const paste = (page: Page, html: string) =>
  page.evaluate(`(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/html', ${JSON.stringify(html)});
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  })()`);

const picture = `data:image/png;base64,${validFiles.png.toString('base64')}`;

/** Pastes a picture, which is uploaded, and selects it. */
async function pastePicture(page: Page, form: Locator): Promise<void> {
  await paste(page, `<p><img src="${picture}"></p>`);
  await form.locator('.ProseMirror img[src*="/storage/"]').click();
}

export const article: States = {
  'a new article': {
    path,
    async open({ page }) {
      return openForm(page);
    },
  },
  'missing values of an article': {
    path,
    async open({ page }) {
      const form = await openForm(page);
      await form.getByRole('button', { name: 'Save draft' }).click();
      await form.locator('.is-error').first().waitFor();
      return form;
    },
  },
  'tools of a table': {
    path: 'system/role',
    async open({ page }, desk) {
      const table = '<table><tbody><tr><th>head</th></tr><tr><td>cell</td></tr></tbody></table>';
      const form = await openArticle(page, desk, table);
      await form.getByRole('cell', { name: 'cell' }).click();
      await form.getByRole('button', { name: 'Row below' }).waitFor();
      return form;
    },
  },
  'question for a link': {
    path,
    async open({ page }) {
      const form = await openForm(page);
      await form.getByRole('button', { name: 'Link', exact: true }).click();
      return untilShown(page.getByRole('dialog', { name: 'Link' }));
    },
  },
  'a wrong address of a link': {
    path,
    async open({ page }) {
      const form = await openForm(page);
      await form.getByRole('button', { name: 'Link', exact: true }).click();
      const question = await untilShown(page.getByRole('dialog', { name: 'Link' }));
      await question.getByRole('textbox').fill('nothing');
      await page.keyboard.press('Enter');
      await question.getByText('Enter an address that begins with').waitFor();
      return question;
    },
  },
  'a figure with its caption': {
    path,
    async open({ page }) {
      const form = await openForm(page);
      await pastePicture(page, form);
      await form.getByRole('button', { name: 'Caption' }).click();
      await form.locator('figcaption').waitFor();
      return form;
    },
  },
  'question for what a picture shows': {
    path,
    async open({ page }) {
      const form = await openForm(page);
      await pastePicture(page, form);
      await form.getByRole('button', { name: 'Describe' }).click();
      return untilShown(page.getByRole('dialog', { name: 'Describe' }));
    },
  },
  'report of what a paste has lost': {
    path,
    async open({ page }) {
      const form = await openForm(page);
      await paste(page, `<p>kept <img src="file:///C:/a.png"><img src="${picture}"></p>`);
      await form.getByText('picture that is on your computer only').waitFor();
      await form.locator('.ProseMirror img[src*="/storage/"]').waitFor();
      return form;
    },
  },
  'a picture that cannot be uploaded': {
    path,
    async open({ page, expects }) {
      const form = await openForm(page);
      const json = { code: 'upload.too_large', message: 'Too large', data: null, errors: [] };
      expects('413 POST /adminapi/system/upload/file');
      await page.route('**/adminapi/system/upload/file', (route) => route.fulfill({ status: 413, json }));
      await paste(page, `<p><img src="${picture}"></p>`);
      await form.getByRole('alert').getByText('Too large').waitFor();
      return form;
    },
  },
  'markup that the editor would remove': {
    path,
    async open({ page }) {
      const form = await openForm(page);
      await form.getByRole('button', { name: 'Edit as HTML' }).click();
      await form.getByRole('textbox', { name: 'Content' }).fill('<p id="a">a</p><script>b</script>');
      await form.getByRole('button', { name: 'Edit visually' }).click();
      await form.getByText('p[id], script').waitFor();
      return form;
    },
  },
  'choice of a picture': {
    path,
    async open({ page }) {
      const form = await openForm(page);
      await form.getByRole('button', { name: 'Picture', exact: true }).click();
      const picker = page.getByRole('dialog', { name: 'Choose from the files' });
      const file = { name: 'picked.png', mimeType: 'image/png', buffer: validFiles.png };
      await picker.locator('input[type=file]').waitFor({ state: 'attached' });
      await picker
        .getByRole('button', { name: /^Show / })
        .first()
        .waitFor();
      await picker.locator('input[type=file]').setInputFiles({ ...file, name: 'picked.exe' });
      await picker.getByText('picked.exe').first().waitFor();
      return picker;
    },
  },
  'preview of an article': {
    path: 'system/role',
    async open({ page }, desk) {
      const form = await openArticle(page, desk);
      await form.getByRole('button', { name: 'Preview' }).click();
      const preview = page.getByRole('dialog', { name: 'Preview' });
      await preview.locator('iframe').contentFrame().getByText('text').waitFor();
      return preview;
    },
  },
  'a draft of the browser': {
    path: 'system/role',
    async open({ page }, desk) {
      const form = await openArticle(page, desk);
      await form.getByLabel('Summary').fill('Mine');
      await form.getByText(/kept in this browser/).waitFor();
      await page.reload();
      await form.getByText('This browser has changes that were not saved').waitFor();
      return form;
    },
  },
  'comparison of versions': {
    path: 'system/role',
    async open({ page }, desk) {
      const { id } = await addArticle(desk, 'Before', '<p>The park opens at nine every day.</p>');
      const changes = { title: 'After', content: '<p>The park opens at ten every day.</p>' };
      await desk.call('article/article/edit', { id, version: 1, ...changes });
      await page.goto(`${desk.url}/console/${path}#detail/${id}`);
      await page.getByRole('tab', { name: 'History' }).click();
      await page.locator('ins').first().waitFor();
      return page.getByRole('dialog');
    },
  },
  'question before a version is put back': {
    path: 'system/role',
    async open({ page }, desk) {
      const name = 'Put back the version before this change';
      const { id } = await addArticle(desk, 'Before');
      await desk.call('article/article/edit', { id, version: 1, title: 'After' });
      await page.goto(`${desk.url}/console/${path}#detail/${id}`);
      await page.getByRole('tab', { name: 'History' }).click();
      await page.getByRole('button', { name }).click();
      return untilShown(page.getByRole('dialog', { name }));
    },
  },
};
