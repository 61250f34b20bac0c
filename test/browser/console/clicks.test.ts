import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { projectRoot } from '../../support/local-server.ts';
import { copyForProducts } from '../../support/made-products.ts';
import { browserTest } from '../chromium.ts';
import { useDesk } from './fixture.ts';

// The clicks of ten tasks, as docs/console.md counts them beside another console. A field without the focus is clicked
// before anything is typed into it.

const copy = copyForProducts('console');
const desk = useDesk(
  async () => {
    // No shipped page has the import of lines.
    await copy.make(['name:text(100) search']);
    return {};
  },
  () => {},
  copy.root,
);

type Click = (target: Locator) => Promise<void>;
interface Task {
  /** What the page is opened at. */
  path: string;
  prepare?(): Promise<unknown>;
  run(page: Page, click: Click): Promise<unknown>;
}
const articles = 'article/article';
const row = (page: Page, name: string | RegExp) => page.getByRole('row', { name });
const addArticle = (title: string) =>
  desk.call('article/article/add', { title, category: 'news', content: '<p>Text</p>' });
async function addArticles(word: string, count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) await addArticle(`${word} ${number}.`);
}
async function readArticles(search: string): Promise<Record<string, unknown>[]> {
  const { list } = Object(await desk.call(`article/article/list?search=${search}`));
  return list;
}
async function type(page: Page, field: Locator, text: string): Promise<void> {
  await field.and(page.locator(':focus')).waitFor();
  await page.keyboard.type(text);
}
async function answer(page: Page, click: Click, name: string): Promise<void> {
  await click(page.getByRole('dialog', { name }).getByRole('button', { name }));
}
async function search(page: Page, click: Click, word: string, left: number): Promise<void> {
  const field = page.getByRole('search').getByRole('textbox', { name: 'Search' });
  await click(field);
  await type(page, field, word);
  await page.waitForURL(/search=/);
  await page.getByRole('row').nth(left).waitFor();
  await page
    .getByRole('row')
    .nth(left + 1)
    .waitFor({ state: 'detached' });
}

const tasks: Record<string, Task> = {
  'Write an article with title, category and text, and publish it': {
    path: articles,
    async run(page, click) {
      await click(page.getByRole('button', { name: 'Add an article' }));
      const form = page.getByRole('region', { name: 'Add an article' });
      await type(page, form.getByLabel('Title'), 'A day at the lake');
      await click(form.locator('.el-select').first());
      await click(page.getByRole('option').first());
      const text = form.getByRole('textbox', { name: 'Content' });
      await click(text);
      await type(page, text, 'At the water');
      await click(form.getByRole('button', { name: 'Save and publish' }));
      await row(page, 'A day at the lake').getByText('Published', { exact: true }).waitFor();
    },
  },
  'Take one article from publication': {
    path: articles,
    prepare: () => addArticle('Outdated'),
    async run(page, click) {
      await click(row(page, 'Outdated').getByRole('button', { name: 'Withdraw Outdated' }));
      await answer(page, click, 'Withdraw');
      await row(page, 'Outdated').getByText('Not published', { exact: true }).waitFor();
    },
  },
  'Delete five records': {
    path: articles,
    prepare: () => addArticles('Leaving', 5),
    async run(page, click) {
      for (let number = 1; number <= 5; number += 1)
        await click(row(page, `Leaving ${number}.`).locator('.el-checkbox'));
      await click(page.getByRole('button', { name: 'Delete an article', exact: true }));
      await answer(page, click, 'Delete an article');
      await row(page, /Leaving/)
        .first()
        .waitFor({ state: 'detached' });
      expect(await readArticles('Leaving')).toEqual([]);
    },
  },
  'Find one by a word of its title, and open it': {
    path: articles,
    prepare: () => addArticle('The hidden waterfall'),
    async run(page, click) {
      await search(page, click, 'waterfall', 1);
      await click(row(page, 'The hidden waterfall').getByRole('link', { name: 'The hidden waterfall' }));
      await page.getByRole('dialog', { name: 'The hidden waterfall' }).waitFor();
    },
  },
  'Go back to an earlier title': {
    path: articles,
    async prepare() {
      const { id, version } = Object(await addArticle('Spring sale'));
      await desk.call('article/article/edit', { id, version, title: 'Wrong sale' });
    },
    async run(page, click) {
      await click(row(page, 'Wrong sale').getByRole('link', { name: 'Wrong sale' }));
      await click(page.getByRole('tab', { name: 'History' }));
      const putBack = 'Put back the version before this change';
      await click(page.getByRole('tabpanel', { name: 'History' }).getByRole('button', { name: putBack }));
      await answer(page, click, putBack);
      await page.getByRole('dialog', { name: 'Spring sale' }).waitFor();
    },
  },
  'Add an administrator with a name, a password and a role': {
    path: 'system/admin',
    prepare: () => desk.call('system/role/add', { name: 'Readers', grants: ['article:read'] }),
    async run(page, click) {
      await click(page.getByRole('button', { name: 'Add an administrator' }));
      const form = page.getByRole('dialog', { name: 'Add an administrator' });
      await type(page, form.getByLabel('Account'), 'newcomer');
      await click(form.getByLabel('Name'));
      await type(page, form.getByLabel('Name'), 'Newcomer');
      await click(form.getByLabel('Password'));
      await type(page, form.getByLabel('Password'), 'a long password');
      await click(form.locator('.el-select').filter({ has: page.getByRole('combobox', { name: 'Roles' }) }));
      await click(page.getByRole('option', { name: 'Readers' }));
      await click(form.getByRole('button', { name: 'Save' }));
      await row(page, 'Newcomer').getByText('Readers').waitFor();
    },
  },
  'Find ten records by a word, and disable them': {
    path: articles,
    prepare: () => addArticles('Lantern', 10),
    async run(page, click) {
      await search(page, click, 'Lantern', 10);
      await click(page.getByRole('columnheader').locator('.el-checkbox'));
      const disable = 'Status: Not published';
      await click(page.getByRole('button', { name: disable }));
      await answer(page, click, disable);
      await page.getByText('Done for 10 records', { exact: true }).waitFor();
      const statuses = (await readArticles('Lantern')).map(({ status }) => status);
      expect(statuses).toEqual(Array.from({ length: 10 }, () => 'disabled'));
    },
  },
  'Export the ten that were found': {
    path: `${articles}?search=Lighthouse`,
    prepare: () => addArticles('Lighthouse', 10),
    async run(page, click) {
      await page.getByRole('row').nth(10).waitFor();
      const download = page.waitForEvent('download');
      await click(page.getByRole('button', { name: 'Export', exact: true }));
      await click(page.getByRole('menuitem', { name: 'CSV file' }));
      const text = readFileSync(await (await download).path(), 'utf8');
      expect(text.match(/Lighthouse \d+\./g)).toHaveLength(10);
    },
  },
  'Import a file of 200 corrected records': {
    path: 'shop/product',
    async run(page, click) {
      const buffer = Buffer.from(
        ['Name', ...Array.from({ length: 200 }, (_, at) => `Product ${at}`)].join('\n'),
      );
      await click(page.getByRole('button', { name: /^Import/ }));
      const chooser = page.waitForEvent('filechooser');
      await click(page.getByRole('dialog').getByRole('button', { name: 'Choose a file' }));
      await (await chooser).setFiles({ name: 'products.csv', mimeType: 'text/csv', buffer });
      await click(page.getByRole('dialog').getByRole('button', { name: 'Import 200 lines' }));
      await page.getByText('Imported: 200 lines added').waitFor();
    },
  },
  'Save the filtered list as a view, and come back to it tomorrow': {
    path: `${articles}?search=Meadow`,
    prepare: () => addArticles('Meadow', 2),
    async run(page, click) {
      await row(page, 'Meadow 1.').waitFor();
      await click(page.getByRole('button', { name: 'Save as a view' }));
      const dialog = page.getByRole('dialog', { name: 'Save as a view' });
      await type(page, dialog.getByRole('textbox', { name: 'Name' }), 'Meadows');
      await click(dialog.getByRole('button', { name: 'Save' }));
      await page.getByRole('button', { name: 'View: Meadows' }).waitFor();
      await page.goto(`${desk.url}/console/`);
      await click(page.locator('.shell-side').getByRole('link', { name: 'Articles' }));
      await page.getByRole('button', { name: 'View: Meadows' }).waitFor();
      await row(page, 'Meadow 1.').waitFor();
      expect(new URL(page.url()).searchParams.get('search')).toBe('Meadow');
    },
  },
};

/** The rows of the table in the docs. */
function readTable(): { task: string; here: number; other: number }[] {
  const [, section = ''] = readFileSync(join(projectRoot, 'docs/console.md'), 'utf8').split('## Clicks\n');
  const rows = section.split('\n## ')[0]?.matchAll(/^\| ([^|]+) \| (\d+) \| (\d+) \|$/gm) ?? [];
  return [...rows].map(([, task = '', here, other]) => ({ task, here: Number(here), other: Number(other) }));
}

test('the table of clicks has the tasks of this test, none with more clicks than in the other console', () => {
  const table = readTable();

  expect(table.map(({ task }) => task).sort()).toEqual(Object.keys(tasks).sort());
  expect(table.filter(({ here, other }) => here > other)).toEqual([]);
});

describe('the clicks of the table', () => {
  browserTest.each(Object.keys(tasks))('are those that the task takes: %s', async (name) => {
    const task = tasks[name];
    await desk.logInAgain();
    await task?.prepare?.();
    const { page } = await desk.open({ path: task?.path ?? '' });
    let clicks = 0;

    await task?.run(page, async (target) => {
      await target.click();
      clicks += 1;
    });

    expect(clicks).toBe(readTable().find((each) => each.task === name)?.here);
  });
});
