import type { Page } from 'playwright-core';
import { addItems } from '../dictionaries.ts';
import type { Desk } from '../fixture.ts';
import { type States, untilShown } from './state.ts';

const path = 'system/setting/dict/type';

async function openType(page: Page, desk: Desk, type: string): Promise<void> {
  await addItems(desk, type, ['Red', 'Green']);
  await page.goto(`${desk.url}/console/${path}?type_key=${type}`);
  await page.getByRole('link', { name: 'Details of “Red”' }).waitFor();
}

async function openImport(page: Page, desk: Desk, type: string, lines: readonly string[] = []) {
  await openType(page, desk, type);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const dialog = await untilShown(page.getByRole('dialog', { name: /^Import items/ }));
  if (lines.length === 0) return dialog;
  await dialog.getByRole('textbox').fill(['value,name', ...lines].join('\n'));
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByText(/lines: \d+ new/).waitFor();
  return dialog;
}

export const dictionaries: States = {
  'a name that is edited in its place': {
    path: 'system/role',
    async open({ page }, desk) {
      await openType(page, desk, 'inline');
      await page.getByRole('button', { name: 'Edit Name of Red' }).click();
      await page.getByRole('textbox', { name: 'Edit Name of Red' }).waitFor();
      return page.locator('#content');
    },
  },
  'menu of a move': {
    path: 'system/role',
    async open({ page }, desk) {
      await openType(page, desk, 'moved');
      await page.getByRole('button', { name: 'Move Red' }).click();
      return untilShown(page.getByRole('menu').filter({ visible: true }));
    },
  },
  'a new item': {
    path: 'system/role',
    async open({ page }, desk) {
      await openType(page, desk, 'added');
      await page.getByRole('button', { name: 'Add an item' }).click();
      return untilShown(page.getByRole('dialog', { name: 'Add a dictionary item' }));
    },
  },
  'details of an item': {
    path: 'system/role',
    async open({ page }, desk) {
      await openType(page, desk, 'detailed');
      await page.getByRole('link', { name: 'Details of “Red”' }).click();
      return untilShown(page.getByRole('dialog', { name: 'Red' }));
    },
  },
  'a new type': {
    path,
    async open({ page }) {
      await page.getByRole('button', { name: 'Add a type' }).click();
      return untilShown(page.getByRole('dialog'));
    },
  },
  'source of an import': {
    path: 'system/role',
    async open({ page }, desk) {
      return openImport(page, desk, 'source');
    },
  },
  'preview of an import with faults': {
    path: 'system/role',
    async open({ page }, desk) {
      return openImport(page, desk, 'faults', ['blue,Blue', 'red,Dark red', 'grey,']);
    },
  },
  'end of an import': {
    path: 'system/role',
    async open({ page }, desk) {
      const dialog = await openImport(page, desk, 'ended', ['blue,Blue']);
      await dialog.getByRole('button', { name: /^Import 1/ }).click();
      await dialog.getByText('Imported: 1 added').waitFor();
      return dialog;
    },
  },
};
