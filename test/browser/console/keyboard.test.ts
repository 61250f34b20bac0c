import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { validFiles } from '../../fixtures/hostile/files.ts';
import { administrator } from '../../support/administrator.ts';
import { browserTest } from '../chromium.ts';
import { useDesk } from './fixture.ts';

// Without a mouse, and on a narrow screen.

const desk = useDesk();

/**
 * Whether the element with the focus, or what is drawn for it, has an outline or a shadow. After the last element, the
 * focus leaves the page.
 */
const showsFocus = `(() => {
  const element = document.activeElement;
  if (!element || element === document.body) return true;
  const drawn = ['.el-input__wrapper', '.el-select__wrapper', '.el-checkbox'].map((each) => element.closest(each));
  const parts = [element, element.firstElementChild, element.nextElementSibling, ...drawn].filter(Boolean);
  return parts.some((part) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(part);
    return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
  });
})()`;

const describeFocus = `(() => {
  const element = document.activeElement;
  return element?.getAttribute('aria-label') || element?.id || element?.textContent?.trim().slice(0, 40) || element?.tagName;
})()`;

/** Presses Tab until an element has the focus. Each stop on the way must show it. @throws Error if it is not reached */
async function tabTo(page: Page, selector: string): Promise<void> {
  const target = page.locator(selector).first();
  const hidden: string[] = [];
  await target.waitFor();
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press('Tab');
    if (!(await page.evaluate(showsFocus))) hidden.push(await page.evaluate(describeFocus));
    if (await target.evaluate((element) => element.matches(':focus'))) return expect(hidden).toEqual([]);
  }
  throw new Error(`${selector} is not reached`);
}

describe('by keyboard alone', () => {
  browserTest('an operator logs in and goes to a page by the palette', async () => {
    const { page } = await desk.open({ as: null });
    await page.locator('#login-account').waitFor();

    await tabTo(page, '#login-account');
    await page.keyboard.type(administrator.account);
    await page.keyboard.press('Tab');
    await page.keyboard.type(administrator.password);
    await page.keyboard.press('Enter');
    await page.locator('.side-menu').getByRole('link', { name: 'Files' }).waitFor();
    await page.keyboard.press('Control+K');
    await page.keyboard.type('files');
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { name: 'Files' }).waitFor();
  });

  browserTest('an operator chooses files to upload', async () => {
    const { page } = await desk.open({ path: 'system/file' });
    await page.getByRole('heading', { name: 'Files' }).waitFor();
    const chooser = page.waitForEvent('filechooser');

    await tabTo(page, '#content .toolbar .el-button--primary');
    await page.keyboard.press('Enter');
    await (await chooser).setFiles({ name: 'key.png', mimeType: 'image/png', buffer: validFiles.png });

    await page.getByText('1 uploaded').waitFor();
  });

  browserTest('an operator opens, fills and saves a form', async () => {
    const { page } = await desk.open({ path: 'system/role' });
    await page.getByRole('heading', { name: 'Roles' }).waitFor();

    await tabTo(page, '#content .el-button--primary');
    await page.keyboard.press('Enter');
    await page.locator('[data-path=name] input:focus').waitFor();
    await page.keyboard.type('By key');
    await page.keyboard.press('Control+S');

    await page.getByRole('row', { name: 'By key' }).waitFor();
  });
});

describe('at a width of 390 pixels', () => {
  const viewport = { width: 390, height: 800 };
  /** Whether the page can be scrolled to the side. */
  const isTooWide = (page: Page) =>
    page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');

  browserTest('login, menu, table and form need no scrolling to the side', async () => {
    const { page } = await desk.open({ viewport, as: null });
    await page.locator('#login-account').fill(administrator.account);
    const wide = [await isTooWide(page)];
    await page.locator('#login-password').fill(administrator.password);
    await page.locator('#login-password').press('Enter');

    await page.getByRole('button', { name: 'Menu' }).click();
    const drawer = page.getByRole('dialog', { name: 'Menu' });
    await drawer.getByRole('link', { name: 'Administrators' }).waitFor();
    wide.push(await isTooWide(page));
    await drawer.getByRole('link', { name: 'Administrators' }).click();
    await drawer.waitFor({ state: 'hidden' });
    await page.getByRole('listitem').getByRole('link', { name: 'root', exact: true }).waitFor();
    wide.push(await isTooWide(page));
    await page.getByRole('button', { name: 'Add an administrator' }).click();
    await page.getByRole('dialog').getByLabel('Account').fill('narrow');
    await page.getByRole('dialog').getByLabel('Name').fill('Narrow');
    await page.getByRole('dialog').getByLabel('Password').fill('a long password');
    wide.push(await isTooWide(page));
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();

    await page.getByRole('listitem').getByRole('link', { name: 'narrow', exact: true }).waitFor();
    expect(wide).toEqual([false, false, false, false]);
  });
});
