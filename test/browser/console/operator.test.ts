import { describe, expect } from '@jest/globals';
import { browserTest } from '../chromium.ts';
import { providerKey, providerModel, useDeskWithProvider } from './provider.ts';

// What an operator does: rights, settings, the log and the assistant.

const { desk, findProvider } = useDeskWithProvider();

describe('an operator', () => {
  browserTest('makes a role and an administrator with it, who sees no more than that', async () => {
    const { page } = await desk.open({ path: 'system/role' });
    await page.getByRole('button', { name: 'Add a role' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Log keeper');
    await page.getByRole('searchbox', { name: 'Find a function' }).fill('system/audit');
    await page.getByRole('checkbox', { name: /\(system\/audit\): Read/ }).press('Space');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: 'Log keeper' }).waitFor();

    await page.locator('.shell-side').getByRole('link', { name: 'Administrators' }).click();
    await page.getByRole('button', { name: 'Add an administrator' }).click();
    const form = page.getByRole('dialog', { name: 'Add an administrator' });
    await form.getByLabel('Account').fill('reader');
    await form.getByLabel('Name').fill('A reader');
    await form.getByLabel('Password').fill('a long password');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Edit A reader' }).click();
    const roles = page.getByRole('dialog', { name: /^Edit an administrator/ });
    await roles.getByRole('combobox', { name: 'Roles' }).press('Enter');
    await page.getByRole('option', { name: 'Log keeper' }).click();
    await page.keyboard.press('Escape');
    await roles.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: 'A reader' }).getByText('Log keeper').waitFor();

    const other = await desk.open({ as: { account: 'reader', password: 'a long password' } });
    await other.page.locator('.side-menu').getByRole('link', { name: 'Audit log' }).click();
    await other.page
      .getByRole('row', { name: /root.*Set the roles of an administrator/ })
      .first()
      .waitFor();
    expect(await other.page.locator('.side-menu').getByRole('link', { name: 'Roles' }).count()).toBe(0);
  });

  browserTest('closes the site after a question, and opens it again', async () => {
    const dictionary = () => desk.client.get('/api/system/config/dict?type=bank_kind');
    const { page } = await desk.open({ path: 'system/setting/config' });
    const choose = async (name: string) => {
      await page.locator('#basics-sys_status').press('Enter');
      await page.getByRole('option', { name, exact: true }).click();
      await page.getByRole('tabpanel', { name: 'Site' }).getByRole('button', { name: 'Save' }).click();
    };

    await choose('Closed');
    await page
      .getByRole('dialog', { name: 'Close the site' })
      .getByRole('button', { name: 'Close the site' })
      .click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await dictionary()).status).toBe(503);
    await choose('Open');

    await page.getByText('Saved', { exact: true }).nth(1).waitFor();
    expect((await dictionary()).status).toBe(200);
    await page.getByRole('tabpanel', { name: 'Site' }).getByRole('tab', { name: 'History' }).click();
    await page.getByRole('tabpanel', { name: 'History' }).getByRole('listitem').nth(1).waitFor();
  });

  browserTest('types sizes in MB, and sees keys under the pointer only', async () => {
    const { page, expects } = await desk.open({ path: 'system/setting/config?group=upload' });
    expects('422 POST /adminapi/system/setting/config/save');
    const size = page.getByLabel('Largest picture');
    const opacity = () =>
      page.evaluate(
        `getComputedStyle([...document.querySelectorAll('.key')].find(({ textContent }) => textContent === 'image_max_size')).opacity`,
      );
    await page.getByText('If empty, 5 MB').waitFor();
    expect(await opacity()).toBe('0');
    await size.focus();
    expect(await opacity()).toBe('1');

    await size.fill('much');
    await page.locator('.group:visible').getByRole('button', { name: 'Save' }).click();
    await page.getByText('A size up to 1 GB').waitFor();
    await size.fill('1.5');
    await page.locator('.group:visible').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();

    const { list } = Object(await desk.call('system/setting/config/list?group=upload&page_size=100'));
    expect(list).toContainEqual(expect.objectContaining({ key: 'image_max_size', value: 1.5 * 1024 ** 2 }));
    expect(await size.inputValue()).toBe('1.5');
  });

  browserTest('reads in Chinese why a connection fails', async () => {
    const { page } = await desk.open({ locale: 'zh_CN', path: 'system/setting/config?group=ai' });
    await page.locator('#ai-base_url').fill(findProvider().baseUrl);
    await page.locator('#ai-api_key').fill('sk-not-this-one');
    await page.locator('#ai-model').fill(providerModel);
    await page.getByRole('button', { name: '测试连接' }).click();

    await page.getByText('密钥被拒绝，请检查密钥是否正确').waitFor();
  });

  browserTest('tests a connection before saving it', async () => {
    findProvider().script({ content: 'pong' });
    const { page } = await desk.open({ path: 'system/setting/config?group=ai' });
    await page.locator('#ai-enabled').press('Space');
    await page.locator('#ai-base_url').fill(findProvider().baseUrl);
    await page.locator('#ai-api_key').fill(providerKey);
    await page.locator('#ai-model').fill(providerModel);
    await page.getByRole('button', { name: 'Test this connection' }).click();
    await page.getByText('The connection works').waitFor();
    await page.getByRole('tabpanel', { name: 'Assistant' }).getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
  });
});
