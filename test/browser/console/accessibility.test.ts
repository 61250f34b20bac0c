import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browserTest } from '../chromium.ts';
import { findBarriers } from './find-barriers.ts';
import { useDesk } from './fixture.ts';
import { listPages, untilLoaded } from './log-in.ts';

// Every page in both locales and both themes, judged by axe-core for WCAG 2.2, levels A and AA, also under the pointer.

const desk = useDesk();

/** Pages whose main button opens a form. */
const pagesWithForm = [
  'system/setting/dict/type',
  'article/article',
  'system/role',
  'system/admin',
  'system/account',
];

/** In a drawer, or in place of the page. */
const findForm = (page: Page) => page.locator('[role=dialog]:visible, .form-page');

async function openForm(page: Page): Promise<void> {
  await page.locator('#content .el-button--primary').first().click();
  await findForm(page).waitFor();
}

describe.each([
  { locale: 'en', theme: 'light' },
  { locale: 'zh_CN', theme: 'dark' },
] as const)('in $locale', (appearance) => {
  browserTest(
    'no page has a barrier, in the light and in the dark theme',
    async () => {
      const login = await desk.open({ ...appearance, as: null });
      await login.page.locator('#login-account').waitFor();
      const found = await findBarriers(login.page, 'login');

      const { page } = await desk.open(appearance);
      for (const path of await listPages(page)) {
        await page.locator(`.shell-side li a[href="${path}"]`).click();
        await untilLoaded(page);
        found.push(...(await findBarriers(page, path)));
        if (!pagesWithForm.includes(path.replace('/console/', ''))) continue;
        await openForm(page);
        found.push(...(await findBarriers(page, `form of ${path}`)));
        await page.goBack();
        await findForm(page).waitFor({ state: 'hidden' });
      }

      await page.keyboard.press('Control+K');
      await page.getByRole('option').first().waitFor();
      found.push(...(await findBarriers(page, 'palette')));
      await page.keyboard.press('Escape');

      await desk.call('system/role/add', { name: appearance.locale, grants: ['system/file/list:read'] });
      await page.goto(`${desk.url}/console/system/role`);
      await page.getByRole('button', { name: new RegExp(`^(Edit|编辑) ${appearance.locale}$`) }).click();
      await page.locator('[role=dialog] .is-indeterminate').first().waitFor();
      found.push(...(await findBarriers(page, 'half-chosen boxes')));

      expect(found).toEqual([]);
    },
    300_000,
  );
});
