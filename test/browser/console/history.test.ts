import { describe, expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { validFiles } from '../../fixtures/hostile/files.ts';
import { browserTest } from '../chromium.ts';
import { useDesk } from './fixture.ts';
import { addHolder } from './holders.ts';

// The history of records on pages by hand.

const desk = useDesk();

/** Waits for an entry in the history of the record that a dialog shows. */
async function findEntry(dialog: Locator, title: string): Promise<void> {
  await dialog.getByRole('tab', { name: 'History' }).click();
  await dialog.getByRole('listitem').filter({ hasText: title }).first().waitFor();
}

async function addType(type_key: string): Promise<void> {
  await desk.call('system/setting/dict/type/add', { name: type_key, type_key, enabled: true });
  const item = { type_key, name: 'Red', value: 'red', sort: 1, status: 'enabled' };
  await desk.call('system/setting/dict/data/add', item);
}
const openType = async (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Dictionary types' }).getByRole('link', { name }).click();

describe('the history', () => {
  browserTest('of a role stands beside its rights, which a reader sees but cannot change', async () => {
    await desk.call('system/role/add', { name: 'Observed', remark: '', grants: ['article:read'] });
    const as = await addHolder(desk, ['system:read', 'system/role:read', 'system/audit:read']);
    const { page } = await desk.open({ path: 'system/role', as });

    await page.getByRole('link', { name: 'Observed', exact: true }).click();
    const detail = page.getByRole('dialog', { name: 'Observed' });
    const box = detail.getByRole('checkbox', { name: /\(article\): Read/ });
    await box.waitFor({ state: 'attached' });
    expect([await box.isChecked(), await box.isDisabled()]).toEqual([true, true]);

    await findEntry(detail, 'Add a role');
  });

  browserTest('of a file stands beside its details', async () => {
    const { page } = await desk.open({ path: 'system/file' });
    const picture = { name: 'traced.png', mimeType: 'image/png', buffer: validFiles.png };
    await page.locator('#content input[type=file]').setInputFiles(picture);
    await page.getByRole('link', { name: 'Show traced.png' }).click();
    const detail = page.getByRole('dialog', { name: 'Details of the file' });
    const { list } = Object(await desk.call('system/file/list'));
    await desk.call('system/file/rename', { id: list[0].id, name: 'renamed.png' });

    await findEntry(detail, 'Rename a file');
  });

  browserTest('of a dictionary type and of its items stands beside their fields', async () => {
    await addType('traced_colour');
    const { page } = await desk.open({ path: 'system/setting/dict/type' });
    await openType(page, 'traced_colour');

    await page.getByRole('button', { name: 'Details', exact: true }).click();
    const type = page.getByRole('dialog', { name: 'traced_colour' });
    await findEntry(type, 'Add a dictionary type');
    await type.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('link', { name: 'Details of “Red”' }).click();

    await findEntry(page.getByRole('dialog', { name: 'Red' }), 'Add a dictionary item');
  });

  browserTest('is left out for an operator who may not read the log', async () => {
    await addType('untraced');
    const as = await addHolder(desk, ['system/setting:read']);
    const { page } = await desk.open({ path: 'system/setting/dict/type', as });
    await openType(page, 'untraced');

    await page.getByRole('button', { name: 'Details', exact: true }).click();
    await page.getByRole('dialog', { name: 'untraced' }).locator('dl').waitFor();

    expect(await page.getByRole('tab').count()).toBe(0);
  });
});

describe('a role', () => {
  browserTest('that two operators change keeps the rights that both have added', async () => {
    const added = await desk.call('system/role/add', {
      name: 'Shared',
      remark: '',
      grants: ['article:read'],
    });
    const { id, version } = Object(added);
    const { page, expects } = await desk.open({ path: 'system/role' });
    expects('409 POST /adminapi/system/role/edit');
    await page.getByRole('button', { name: 'Edit Shared' }).click();
    const form = page.getByRole('dialog', { name: /^Edit a role/ });
    await form.getByRole('searchbox', { name: 'Find a function' }).fill('system/audit');
    await form.getByRole('checkbox', { name: /\(system\/audit\): Read/ }).press('Space');
    const theirs = ['article:read', 'user-center:read'];
    await desk.call('system/role/edit', { id, version, grants: theirs });

    await form.getByRole('button', { name: 'Save' }).click();
    const conflict = page.getByRole('dialog', { name: 'This was changed by another operator meanwhile' });
    await conflict.getByRole('button', { name: 'Save my choice' }).click();
    await form.waitFor({ state: 'hidden' });

    const { grants } = Object(await desk.call(`system/role/detail?id=${id}`));
    expect([...grants].sort()).toEqual(['article:read', 'system/audit:read', 'user-center:read']);
  });
});
