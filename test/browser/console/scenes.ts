import type { Page } from 'playwright-core';
import type { Appearance } from './log-in.ts';

/** A picture of the docs. */
export interface Scene {
  /** Of the file in `docs/images/`. */
  name: string;
  /** Below `/console/`. */
  path: string;
  appearance: Required<Appearance>;
  /** Brings the page into the state to be shown. */
  prepare?(page: Page): Promise<void>;
}

export const scenes: readonly Scene[] = [
  { name: 'console-home', path: '', appearance: { locale: 'en', theme: 'light' } },
  { name: 'console-files', path: 'system/file', appearance: { locale: 'zh_CN', theme: 'light' } },
  { name: 'console-articles', path: 'article/article', appearance: { locale: 'zh_CN', theme: 'dark' } },
  {
    name: 'console-role',
    path: 'system/role',
    appearance: { locale: 'en', theme: 'light' },
    async prepare(page) {
      await page
        .getByRole('row', { name: /^editor/ })
        .getByRole('button', { name: 'Edit' })
        .click();
      await page
        .getByRole('dialog', { name: /^Edit a role/ })
        .getByRole('row')
        .last()
        .waitFor();
    },
  },
  {
    name: 'console-settings',
    path: 'system/setting/config?group=ai',
    appearance: { locale: 'en', theme: 'dark' },
  },
  {
    name: 'console-dictionary',
    path: 'system/setting/dict/type',
    appearance: { locale: 'en', theme: 'dark' },
    async prepare(page) {
      await page.getByRole('button', { name: /demo_city/ }).click();
      await page.getByRole('row').nth(5).waitFor();
    },
  },
];
