import { afterEach, describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { validFiles } from '../../fixtures/hostile/files.ts';
import { browserTest } from '../chromium.ts';
import { findBarriers } from './find-barriers.ts';
import { useDesk } from './fixture.ts';
import { untilLoaded } from './log-in.ts';

// What the console looks like: the brand, density, the menu, lists on narrow screens.

const desk = useDesk();
const narrow = { viewport: { width: 390, height: 844 } };

const setBrand = (values: object) => desk.call('system/setting/config/save', { group: 'brand', values });
const primaryOf = (page: Page): Promise<string> =>
  page.evaluate(`getComputedStyle(document.documentElement).getPropertyValue('--el-color-primary').trim()`);

describe('the brand', () => {
  afterEach(() => setBrand({ name: '', logo: '', icon: '', colour: '' }));

  browserTest('is set by an operator, counts at once, and greets at the login', async () => {
    const { page, expects } = await desk.open({ path: 'system/setting/config?group=brand' });
    expects('422 POST /adminapi/system/setting/config/save');
    const form = page.getByRole('tabpanel', { name: 'Brand' });
    await form.locator('#brand-name').fill('Corner shop');
    await form.getByRole('textbox', { name: 'Colour', exact: true }).fill('red');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('# and six hexadecimal digits').waitFor();
    await form.getByRole('textbox', { name: 'Colour', exact: true }).fill('#0a7d4f');
    await form.getByText('Dark theme', { exact: true }).waitFor();
    await form.getByRole('button', { name: 'Save' }).click();
    await page.locator('.shell-side').getByText('Corner shop').waitFor();

    expect(await page.title()).toBe('System settings · Corner shop');
    expect(await primaryOf(page)).toBe('#0a7d4f');
    const login = await desk.open({ as: null });
    await login.page.getByText('Corner shop').waitFor();
    expect(await login.page.title()).toBe('Log in · Corner shop');
    expect(await primaryOf(login.page)).toBe('#0a7d4f');
  });

  browserTest('shows logo and icon from the files, before the login and on the page of OAuth', async () => {
    const upload = await desk.open({ path: 'system/file' });
    const picture = { name: 'logo.png', mimeType: 'image/png', buffer: validFiles.png };
    await upload.page.locator('#content input[type=file]').setInputFiles(picture);
    await upload.page.getByRole('link', { name: 'Show logo.png' }).waitFor();
    const { list } = Object(await desk.call('system/file/list'));
    await setBrand({ logo: list[0].url, icon: list[0].url });
    const stored = Object(await desk.call('system/setting/config/list?group=brand&page_size=100')).list;
    expect(stored).toContainEqual(expect.objectContaining({ key: 'logo', value: list[0].url }));

    const { page } = await desk.open({ as: null });
    const logo = page.locator('.brand-logo');
    await logo.waitFor();
    expect(await page.evaluate(`document.querySelector('.brand-logo').naturalWidth`)).toBeGreaterThan(0);
    const icon = page.locator('link[rel=icon]');
    expect(await icon.getAttribute('href')).toMatch(/\/storage\/.*\.png$/);

    const consent = await desk.open({ path: 'system/file' });
    consent.expects('400 GET /adminapi/system/oauth/request');
    await consent.page.goto(`${desk.url}/console/oauth/consent`);
    await consent.page.locator('.brand-logo').waitFor();
    await consent.page.getByRole('alert').first().waitFor();
  });

  browserTest.each(['#ffd400', '#f8f8f8', '#101010'])(
    'has no barrier in any colour: %s, also under the pointer',
    async (colour) => {
      await setBrand({ name: 'A shop with quite a long name', colour });
      const login = await desk.open({ as: null });
      const found = await findBarriers(login.page, 'login');
      const { page } = await desk.open({ path: 'system/role' });
      await untilLoaded(page);
      for (const place of [
        '.side-menu a.active',
        '#content .el-button--primary',
        '.open-row',
        '.side-fold',
      ]) {
        await page.locator(place).filter({ visible: true }).first().hover();
        found.push(...(await findBarriers(page, `over ${place}`)));
      }

      expect(found).toEqual([]);
    },
  );
});

describe('the console', () => {
  browserTest('warns of a stage that is not production, before and after the login', async () => {
    const login = await desk.open({ as: null });
    await login.page.locator('.stage').getByText('local').waitFor();
    const { page } = await desk.open();

    await page.locator('.shell-bar .stage').getByText('local').waitFor();
  });

  browserTest('keeps density and the folded menu in the browser', async () => {
    const { page } = await desk.open({ path: 'system/role' });
    await page.getByRole('button', { name: 'root', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Compact rows' }).click();
    await page.getByRole('button', { name: 'Fold the menu' }).click();
    await page.reload();
    await untilLoaded(page);

    expect(await page.evaluate('document.documentElement.className')).toContain('compact');
    await page.locator('.shell-side').getByRole('link', { name: 'Files' }).click();
    await page.getByRole('heading', { name: 'Files', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Unfold the menu' }).click();
    await page.locator('.shell-side').getByText('Files', { exact: true }).waitFor();
  });

  browserTest('folds a group of the menu, and finds its pages all the same', async () => {
    const { page } = await desk.open();
    const menu = page.locator('.shell-side');
    await menu.getByRole('button', { name: 'People and rights' }).click();
    await menu.getByRole('link', { name: 'Roles' }).waitFor({ state: 'hidden' });
    await page.reload();
    await menu.getByRole('button', { name: 'People and rights', expanded: false }).waitFor();
    expect(await menu.getByRole('link', { name: 'Roles' }).count()).toBe(0);

    await menu.getByRole('searchbox').fill('role');

    await menu.getByRole('link', { name: 'Roles' }).waitFor();
  });
});

describe('the settings', () => {
  browserTest(
    'have a choice of groups on a narrow screen, which shows the one that a link names',
    async () => {
      const { page } = await desk.open({ path: 'system/setting/config?group=ai', ...narrow });
      const groups = page.locator('.groups');
      await groups.getByText('Assistant', { exact: true }).waitFor();

      await groups.getByRole('combobox', { name: 'System settings' }).press('Enter');
      await page.getByRole('option', { name: 'Brand' }).click();

      await page.locator('#brand-name').waitFor();
      expect(new URL(page.url()).search).toBe('?group=brand');
    },
  );
});

describe('a list', () => {
  browserTest('shows times from now, the exact one under the pointer and for the keyboard', async () => {
    const { page } = await desk.open({ path: 'system/admin' });
    const time = page
      .getByRole('row', { name: /\broot\b/ })
      .locator('time')
      .first();

    await time.getByText('now', { exact: true }).waitFor();
    expect(await time.getAttribute('title')).toMatch(/\(\d{4}-\d\d-\d\dT[\d:.]+Z\)$/);
    await page.getByRole('link', { name: 'root', exact: true }).focus();
    await time.getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d$/).waitFor();
  });

  browserTest('hides IDs until an operator wants them', async () => {
    const { page } = await desk.open({ path: 'system/role' });
    await untilLoaded(page);
    const id = page.getByRole('columnheader', { name: 'ID', exact: true });
    expect(await id.count()).toBe(0);

    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'ID', exact: true }).press('Space');

    await id.waitFor();
  });

  browserTest('without records says what it is for, and offers the first one', async () => {
    const { page } = await desk.open({ path: 'article/article' });

    await page.getByText('Articles that the site and the apps show to users.').waitFor();
    await page.getByRole('button', { name: 'Add the first one' }).click();

    await page.getByRole('region', { name: 'Add an article' }).waitFor();
  });

  browserTest('is cards on a narrow screen, with its filters behind a button', async () => {
    await desk.call('system/role/add', { name: 'Narrow', remark: 'A remark', grants: [] });
    const { page } = await desk.open({ path: 'system/role', ...narrow });
    const card = page.getByRole('listitem').filter({ hasText: 'Narrow' });
    await card.getByText('A remark').waitFor();
    const found = await findBarriers(page, 'cards');
    expect(await page.locator('table').count()).toBe(0);
    expect(await page.getByRole('search').isVisible()).toBe(false);

    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('search').getByRole('textbox').first().fill('no such role');
    await page.getByText('Nothing fits these filters').waitFor();
    await page.getByRole('button', { name: 'Filter (1)' }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).last().click();
    await card.getByRole('link', { name: 'Narrow' }).click();
    await page.getByRole('dialog', { name: 'Narrow' }).waitFor();

    const overflow = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    expect([found, overflow]).toEqual([[], 0]);
  });
});

describe('a role', () => {
  browserTest('gets many rights at once', async () => {
    await desk.call('system/role/add', { name: 'Many', remark: '', grants: ['system/audit:read'] });
    const { page } = await desk.open({ path: 'system/role' });
    await page.getByRole('button', { name: 'Edit Many' }).click();
    const form = page.getByRole('dialog', { name: /^Edit a role/ });
    await form.getByText(/^[12] of \d+ rights$/).waitFor();
    const preset = async (name: string) => {
      await form.getByRole('button', { name: 'Set many' }).click();
      await page.getByRole('menuitem', { name, exact: true }).click();
    };

    await preset('Nothing');
    await preset('Read everything, change nothing');
    await preset('Everything in “Articles”');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'hidden' });

    const { list } = Object(await desk.call('system/role/list?keyword=Many'));
    expect(list[0].grants).toEqual(expect.arrayContaining(['system:read', 'article:write']));
    expect(list[0].grants).not.toContain('system:write');
  });
});
