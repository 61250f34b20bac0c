import { afterAll, describe, expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import * as z from 'zod/mini';
import { validFiles } from '../../fixtures/hostile/files.ts';
import { describeBlocks, describeHtml, readSamples } from '../../fixtures/paste/samples.ts';
import { copyForProducts } from '../../support/made-products.ts';
import { browserTest } from '../chromium.ts';
import { useDesk } from './fixture.ts';
import { addHolder } from './holders.ts';
import { untilLoaded } from './log-in.ts';
import { paste } from './paste.ts';
import { watchFaults } from './watch-faults.ts';

// A day of an operator of a shop, whose products a command has made. Each step finds what those before it have left.

const copy = copyForProducts('console');
const desk = useDesk(
  async () => {
    const fields = ['name:text(100) search label(名称|Name)', 'price:money label(价格|Price)'];
    await copy.make([...fields, '--title', '商品|product|products']);
    return {};
  },
  () => {},
  copy.root,
);

const products = 'shop/product';
const listed = z.object({
  list: z.array(z.looseObject({ name: z.string(), price: z.number() })),
});
async function readPrices() {
  const { list } = z.parse(listed, await desk.call(`${products}/list?limit=100`));
  return Object.fromEntries(list.map(({ name, price }) => [name, price]));
}

const picture = (name: string, mimeType = 'image/png') => ({ name, mimeType, buffer: validFiles.png });

/** What was noted in the tabs that links have opened. */
const tabs: (() => string[])[] = [];
/** Opens what a link leads to in a new tab. */
async function openBeside(link: Locator): Promise<Page> {
  const opening = link.page().context().waitForEvent('page');
  await link.click({ modifiers: ['Control'] });
  const other = await opening;
  tabs.push(await watchFaults(other, desk.url));
  return other;
}
afterAll(() => expect(tabs.flatMap((faults) => faults())).toEqual([]));

describe('a day of an operator', () => {
  browserTest(
    'begins with an article of four documents, each from another source, which readers get as they were written',
    async () => {
      // With headings, lists, tables and a picture, but without pictures of other hosts.
      const chosen = { word: 46, wps: 38, 'google-docs': 7, web: 9 };
      const samples = Object.entries(chosen).flatMap(([source, at]) => readSamples(source).slice(at, at + 1));
      const { page } = await desk.open({ path: 'article/article' });
      await page.getByRole('button', { name: 'Add an article' }).click();
      const form = page.getByRole('region', { name: 'Add an article' });
      await form.getByLabel('Title').fill('Four documents');
      await form.getByRole('combobox', { name: 'Category' }).press('Enter');
      await page.getByRole('option').first().click();
      const text = form.getByRole('textbox', { name: 'Content' });
      await text.click();

      for (const { html } of samples) {
        await paste(page, { html });
        await page.keyboard.press('Enter');
      }
      await text.locator('img[src*="/storage/"]').nth(1).waitFor();
      await form.getByRole('button', { name: 'Save and publish' }).click();
      await page
        .getByRole('row', { name: 'Four documents' })
        .getByText('Published', { exact: true })
        .waitFor();

      const { data } = await desk.client.get('/api/article/article/list');
      const { data: article } = await desk.client.get(`/api/article/article/detail?id=${data.list[0].id}`);
      const { pictures, ...kept } = describeHtml(article.content);
      const { pictures: copied, ...written } = describeBlocks(samples.flatMap(({ blocks }) => blocks));
      expect(kept).toEqual(written);
      expect(pictures).toEqual(copied.map(([, alt]) => ['http:', alt]));
    },
    60_000,
  );

  browserTest('goes on with a price that was changed: by whom, from which one, and back', async () => {
    const { id } = z.parse(
      z.object({ id: z.string() }),
      await desk.call(`${products}/add`, { name: 'Kettle', price: 4900 }),
    );
    const as = await addHolder(desk, ['shop:write']);
    const { page: theirs } = await desk.open({ path: `${products}#edit/${id}`, as });
    await theirs.getByRole('textbox', { name: 'Price' }).fill('4.90');
    await theirs.getByRole('button', { name: 'Save', exact: true }).click();
    await theirs.getByRole('row', { name: 'Kettle' }).getByText('4.90').waitFor();

    const { page } = await desk.open({ path: 'system/audit' });
    const search = page.getByRole('search');
    await search.getByRole('combobox', { name: 'Kind of record' }).press('Enter');
    await page.getByRole('option', { name: 'Products', exact: true }).click();
    await search.getByRole('combobox', { name: 'Record', exact: true }).fill('Kettle');
    await page.getByRole('option', { name: 'Kettle' }).click();
    const entry = page.getByRole('row', { name: /Edit a product/ });
    await entry.getByText(as.account).waitFor();
    await entry.getByRole('link', { name: 'Kettle' }).click();
    await page.getByRole('tab', { name: 'History' }).click();
    const change = page
      .getByRole('tabpanel', { name: 'History' })
      .getByRole('listitem')
      .filter({ hasText: 'Edit a product' });
    await change.getByText(as.account).waitFor();
    await change.getByText('49.00').waitFor();
    await change.getByText('4.90').waitFor();
    await change.getByRole('button', { name: 'Put back' }).click();
    await page.getByRole('dialog', { name: 'Put back' }).getByRole('button', { name: 'Put back' }).click();
    await page.getByText('Put back', { exact: true }).waitFor();

    expect(await readPrices()).toEqual({ Kettle: 4900 });
  });

  browserTest('imports products from a file, whose faulty line is mended first', async () => {
    const { page, expects } = await desk.open({ path: products });
    expects(`422 POST /adminapi/${products}/import`);
    const read = async (lines: readonly string[]) => {
      const buffer = Buffer.from(['Name,Price', ...lines].join('\n'));
      await page
        .getByRole('dialog')
        .locator('input[type=file]')
        .setInputFiles({ name: 'new.csv', mimeType: 'text/csv', buffer });
    };
    const good = ['Cup,5.50', 'Plate,7', 'Bowl,8.25', 'Spoon,1.20'];
    await page.getByRole('button', { name: /^Import/ }).click();
    const dialog = page.getByRole('dialog', { name: /^Import/ });

    await read([...good, 'Fork,much']);
    await dialog.getByRole('row', { name: /^6 Price/ }).waitFor();
    expect(await readPrices()).toEqual({ Kettle: 4900 });
    await read([...good, 'Fork,1.30']);
    await dialog.getByRole('button', { name: 'Import 5 lines' }).click();
    await dialog.getByText('Imported: 5 lines added').waitFor();
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();

    await page.getByRole('row', { name: 'Fork' }).waitFor();
    const added = { Cup: 550, Plate: 700, Bowl: 825, Spoon: 120, Fork: 130 };
    expect(await readPrices()).toEqual({ Kettle: 4900, ...added });
  });

  browserTest('opens five records in tabs, without a password', async () => {
    const { page } = await desk.open({ path: products });
    for (const name of ['Cup', 'Plate', 'Bowl', 'Spoon', 'Fork']) {
      const other = await openBeside(page.getByRole('link', { name, exact: true }));

      await other.getByRole('dialog', { name }).getByText(name, { exact: true }).first().waitFor();
    }
    expect(page.context().pages()).toHaveLength(6);
  });

  browserTest('works in three tabs, until a logout in one ends all', async () => {
    const { page } = await desk.open({ path: products });
    const menu = page.locator('.shell-side');
    const [roles, articles] = [
      await openBeside(menu.getByRole('link', { name: 'Roles' })),
      await openBeside(menu.getByRole('link', { name: 'Articles' })),
    ];

    await roles.getByRole('button', { name: 'Add a role' }).click();
    await roles.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Shopkeeper');
    await articles.getByRole('button', { name: 'Edit Four documents' }).click();
    const form = articles.getByRole('region', { name: /^Edit an article/ });
    await form.getByLabel('Summary').fill('From four sources');
    await page.getByRole('button', { name: 'Edit Cup' }).click();
    await page.getByRole('textbox', { name: 'Price' }).fill('6');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('row', { name: 'Cup' }).getByText('6.00').waitFor();
    await roles.getByRole('button', { name: 'Save' }).click();
    await roles.getByRole('row', { name: 'Shopkeeper' }).waitFor();
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await form.getByText(/^Saved at/).waitFor();
    await page.getByRole('button', { name: 'root' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();

    for (const each of [page, roles, articles]) await each.locator('#login-account').waitFor();
    expect(await readPrices()).toMatchObject({ Cup: 600 });
    const { list } = Object(await desk.call('article/article/list'));
    expect(list).toEqual([expect.objectContaining({ summary: 'From four sources' })]);
  });

  browserTest('gives the console name, logo, icon and colour of the shop', async () => {
    const { page } = await desk.open({ path: 'system/setting/config?group=brand' });
    const form = page.getByRole('tabpanel', { name: 'Brand' });
    await form.locator('#brand-name').fill('Corner shop');
    await form.getByRole('textbox', { name: 'Colour', exact: true }).fill('#0a7d4f');
    for (const [index, name] of ['logo.png', 'icon.png'].entries()) {
      await form.getByRole('button', { name: 'Choose a file' }).nth(index).click();
      const picker = page.getByRole('dialog', { name: 'Choose from the files' });
      await picker.locator('input[type=file]').setInputFiles(picture(name));
      await picker.getByRole('button', { name: `Show ${name}` }).click();
      await picker.waitFor({ state: 'hidden' });
    }
    await form.getByRole('button', { name: 'Save' }).click();
    await page.locator('.shell-side').getByText('Corner shop').waitFor();

    const { page: login } = await desk.open({ as: null });
    for (const each of [page, login]) {
      await each.locator('.brand-logo').filter({ visible: true }).first().waitFor();
      expect(await each.title()).toMatch(/ · Corner shop$/);
      expect(await each.locator('link[rel=icon]').getAttribute('href')).toMatch(/\/storage\/.*\.png$/);
      const colour = `getComputedStyle(document.documentElement).getPropertyValue('--el-color-primary').trim()`;
      expect(await each.evaluate(colour)).toBe('#0a7d4f');
    }
  });

  browserTest(
    'ends with 24 files, of which 3 fail: these stand first, with the reason',
    async () => {
      const { page, expects } = await desk.open({ path: 'system/file' });
      await untilLoaded(page);
      const good = Array.from({ length: 21 }, (_, index) => picture(`photo-${index}.png`));
      const type = picture('program.exe', 'application/octet-stream');
      const disguised = { ...picture('disguised.png'), buffer: Buffer.from('no picture') };
      const large = {
        ...picture('large.png'),
        buffer: Buffer.concat([validFiles.png, Buffer.alloc(6 * 1024 ** 2)]),
      };
      expects('413 POST /adminapi/system/upload/direct', '422 POST /adminapi/system/upload/file');

      await page
        .locator('#content input[type=file]')
        .setInputFiles([...good.slice(0, 10), type, disguised, large, ...good.slice(10)]);
      const panel = page.getByRole('region', { name: 'Uploads' });
      await panel.getByText('21 uploaded, 3 failed').waitFor({ timeout: 60_000 });

      const first = (await panel.getByRole('listitem').all()).slice(0, 3);
      const names = await Promise.all(first.map((row) => row.locator('.name').textContent()));
      expect(names.sort()).toEqual(['disguised.png', 'large.png', 'program.exe']);
      for (const row of first) expect(await row.getByRole('alert').textContent()).toMatch(/\w/);
      const { list } = Object(await desk.call('system/file/list?keyword=photo&limit=100'));
      expect(list).toHaveLength(21);
    },
    90_000,
  );
});
