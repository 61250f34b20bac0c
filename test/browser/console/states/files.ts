import type { Page } from 'playwright-core';
import { validFiles } from '../../../fixtures/hostile/files.ts';
import { type States, untilShown } from './state.ts';

const path = 'system/file';
const upload = (page: Page, ...names: string[]) =>
  page
    .locator('#content input[type=file]')
    .setInputFiles(names.map((name) => ({ name, mimeType: 'image/png', buffer: validFiles.png })));

export const files: States = {
  'uploads that have failed': {
    path,
    async open({ page }) {
      await upload(page, 'crow.png', 'crow.exe');
      await page.getByText('1 uploaded, 1 failed').waitFor();
      return page.getByRole('region', { name: 'Uploads' });
    },
  },
  'an upload that goes on': {
    path,
    async open({ page }) {
      await page.route('**/adminapi/system/upload/file', () => {});
      await upload(page, 'slow.png');
      await page.getByText('Uploading, 1 left').waitFor();
      return page.getByRole('region', { name: 'Uploads' });
    },
  },
  'chosen files': {
    path,
    async open({ page }) {
      await page.getByRole('checkbox', { name: 'Select crow.png' }).press('Space');
      await page.getByRole('button', { name: 'Move to a category' }).waitFor();
      return page.locator('#content');
    },
  },
  'dialog to move files': {
    path,
    async open({ page }) {
      await page.getByRole('checkbox', { name: 'Select crow.png' }).press('Space');
      await page.getByRole('button', { name: 'Move to a category' }).click();
      return untilShown(page.getByRole('dialog', { name: 'Move a file' }));
    },
  },
  'question before files are deleted': {
    path,
    async open({ page }) {
      await page.getByRole('checkbox', { name: 'Select crow.png' }).press('Space');
      await page.getByRole('button', { name: 'Delete' }).click();
      return untilShown(page.getByRole('dialog'));
    },
  },
  'details of a file': {
    path,
    async open({ page }) {
      await page.getByRole('link', { name: 'Show crow.png' }).click();
      return untilShown(page.getByRole('dialog', { name: 'Details of the file' }));
    },
  },
  'files at 390 pixels': {
    path,
    width: 390,
    async open({ page }) {
      await page.getByRole('link', { name: 'Show crow.png' }).waitFor();
      return undefined;
    },
  },
};
