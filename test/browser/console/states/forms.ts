import type { Page } from 'playwright-core';
import { type States, untilShown } from './state.ts';

const path = 'system/admin';
const password = 'a long password';
const openForm = async (page: Page) => {
  await page.getByRole('button', { name: 'Add an administrator' }).click();
  return untilShown(page.getByRole('dialog', { name: 'Add an administrator' }));
};

export const forms: States = {
  'a new record': {
    path,
    async open({ page }) {
      const form = await openForm(page);
      await form.getByLabel('Account').and(page.locator(':focus')).waitFor();
      return form;
    },
  },
  'missing values': {
    path,
    async open({ page }) {
      const form = await openForm(page);
      await form.getByRole('button', { name: 'Save' }).click();
      await form.getByText('This is required').first().waitFor();
      return form;
    },
  },
  'a refused value': {
    path,
    async open({ page, expects }) {
      expects('409 POST /adminapi/system/admin/add');
      const form = await openForm(page);
      await form.getByLabel('Account').fill('root');
      await form.getByLabel('Name').fill('Twice');
      await form.getByLabel('Password').fill(password);
      await form.getByRole('button', { name: 'Save' }).click();
      await form.locator('.el-alert--error').waitFor();
      return form;
    },
  },
  'open choice of roles': {
    path,
    async open({ page }, desk) {
      await desk.call('system/role/add', { name: 'Readers', remark: '', grants: ['article:read'] });
      const form = await openForm(page);
      await form.getByRole('combobox', { name: 'Roles' }).press('Enter');
      await page.getByRole('option', { name: 'Readers' }).click();
      return page.locator('.el-popper').filter({ visible: true });
    },
  },
  'question before input is lost': {
    path,
    async open({ page }) {
      const form = await openForm(page);
      await form.getByLabel('Name').fill('Half');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Stay' }).waitFor();
      return page.locator('.el-message-box');
    },
  },
  'an edited record': {
    path,
    async open({ page }, desk) {
      await desk.call('system/admin/add', { account: 'edited', name: 'Edited', password });
      await page.getByRole('button', { name: 'Refresh' }).click();
      await page.getByRole('button', { name: 'Edit edited' }).click();
      await page.getByRole('dialog').getByLabel('Name').waitFor();
      return page.getByRole('dialog');
    },
  },
  'a new password for another': {
    path,
    async open({ page }) {
      await page.getByRole('button', { name: 'More actions for edited' }).click();
      await page.getByRole('menuitem', { name: 'Set the password of an administrator' }).click();
      return untilShown(page.getByRole('dialog', { name: /^Set the password/ }));
    },
  },
  'question before a deletion': {
    path,
    async open({ page }) {
      await page.getByRole('button', { name: 'More actions for edited' }).click();
      await page.getByRole('menuitem', { name: /^Delete/ }).click();
      return untilShown(page.getByRole('dialog', { name: /Delete/ }));
    },
  },
  'question before a change of status': {
    path,
    async open({ page }) {
      await page.getByRole('button', { name: 'Disable edited' }).click();
      return untilShown(page.getByRole('dialog', { name: 'Disable' }));
    },
  },
  'a new role': {
    path: 'system/role',
    async open({ page }) {
      await page.getByRole('button', { name: 'Add a role' }).click();
      await page.getByRole('dialog').getByRole('row').last().waitFor();
      return page.getByRole('dialog');
    },
  },
  'presets of a role': {
    path: 'system/role',
    async open({ page }) {
      await page.getByRole('button', { name: 'Add a role' }).click();
      await page.getByRole('button', { name: 'Set many' }).click();
      return untilShown(page.getByRole('menu').filter({ visible: true }));
    },
  },
  'a conflict': {
    path: 'system/role',
    async open({ page, expects }, desk) {
      expects('409 POST /adminapi/system/role/edit');
      const added = await desk.call('system/role/add', { name: 'Contested', remark: '', grants: [] });
      const { id, version } = Object(added);
      await page.getByRole('button', { name: 'Refresh' }).click();
      await page.getByRole('button', { name: 'Edit Contested' }).click();
      const form = page.getByRole('dialog', { name: /^Edit a role/ });
      await form.getByRole('textbox', { name: 'Name' }).fill('Mine');
      await desk.call('system/role/edit', { id, version, name: 'Theirs' });
      await form.getByRole('button', { name: 'Save' }).click();
      return untilShown(page.getByRole('dialog', { name: /^This was changed by another/ }));
    },
  },
};
