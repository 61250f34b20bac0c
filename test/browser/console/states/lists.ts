import { refuseList, type States, untilShown } from './state.ts';

const path = 'system/admin';
const password = 'a long password';

export const lists: States = {
  'menu of a row': {
    path,
    async open({ page }, desk) {
      await desk.call('system/admin/add', { account: 'listed', name: 'Listed', password });
      await page.getByRole('button', { name: 'Refresh' }).click();
      await page.getByRole('button', { name: 'More actions for listed' }).click();
      return untilShown(page.getByRole('menu').filter({ visible: true }));
    },
  },
  'choice of columns': {
    path,
    async open({ page }) {
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('checkbox', { name: 'ID', exact: true }).waitFor({ state: 'attached' });
      return page.locator('.el-popper').filter({ visible: true });
    },
  },
  'menu of views': {
    path,
    async open({ page }, desk) {
      await desk.call('system/view/add', { page: path, name: 'Seen', query: 'account=root', columns: null });
      await page.getByRole('button', { name: /^View/ }).click();
      await page.getByRole('menuitem', { name: 'Seen' }).waitFor();
      return page.getByRole('menu').filter({ visible: true });
    },
  },
  'dialog of a view': {
    path,
    async open({ page }) {
      await page.getByRole('button', { name: /^View/ }).click();
      await page.getByRole('menuitem', { name: /Save as a view/ }).click();
      await page.getByRole('dialog').getByRole('textbox').waitFor();
      return page.getByRole('dialog');
    },
  },
  'open options of a filter': {
    path: 'system/audit',
    async open({ page }) {
      await page.getByRole('search').getByRole('combobox').first().click();
      await page.getByRole('option').first().waitFor();
      return page.locator('.el-popper').filter({ visible: true });
    },
  },
  'menu of an export': {
    path,
    async open({ page }) {
      await page.getByRole('button', { name: 'Export', exact: true }).click();
      return untilShown(page.getByRole('menu').filter({ visible: true }));
    },
  },
  'a service that is down': {
    path,
    open: (tab) => refuseList(tab, 'system/admin/list', 503, 'database.unavailable'),
  },
  'nothing that fits the filters': {
    path: `${path}?account=nothing`,
    async open({ page }) {
      await page.getByText('Nothing fits these filters').waitFor();
      return page.locator('#content');
    },
  },
  'a wrong filter': {
    path: 'user-center/user?mobile=142',
    async open({ page, expects }) {
      // The second is asked for in the other locale.
      expects(...Array.from({ length: 2 }, () => '422 GET /adminapi/user-center/user/list'));
      await page.getByText('Correct the marked filter').waitFor();
      return page.locator('#content');
    },
  },
  'an empty list': {
    path: 'article/article',
    async open({ page }) {
      await page.getByRole('button', { name: 'Add the first one' }).waitFor();
      return page.locator('#content');
    },
  },
  'filters at 390 pixels': {
    path,
    width: 390,
    async open({ page }) {
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await page.getByRole('search').getByRole('textbox').first().waitFor();
      return undefined;
    },
  },
  'menu at 390 pixels': {
    path,
    width: 390,
    async open({ page }) {
      await page.getByRole('button', { name: 'Menu' }).click();
      return untilShown(page.getByRole('dialog'));
    },
  },
  'details of a record': {
    path,
    async open({ page }) {
      await page.getByRole('link', { name: 'root', exact: true }).click();
      await page.getByRole('dialog').locator('dl').first().waitFor();
      return page.getByRole('dialog');
    },
  },
  'history of a record': {
    path,
    async open({ page }) {
      await page.getByRole('link', { name: 'listed', exact: true }).click();
      await page.getByRole('tab', { name: 'History' }).click();
      await page.getByRole('listitem').filter({ hasText: 'Add an administrator' }).waitFor();
      return page.getByRole('dialog');
    },
  },
  'menu of the administrator': {
    path,
    async open({ page }) {
      await page.getByRole('button', { name: 'root', exact: true }).click();
      return untilShown(page.getByRole('menu').filter({ visible: true }));
    },
  },
  'folded menu': {
    path,
    async open({ page }) {
      await page.getByRole('button', { name: 'Fold the menu' }).click();
      await page.getByRole('button', { name: 'Unfold the menu' }).waitFor();
      return page.locator('.shell-side');
    },
  },
};
