import type { Page } from 'playwright-core';

export interface Credentials {
  account: string;
  password: string;
}

/** Fills in the login form that a tab shows, and waits for the menu. */
export async function logIn(page: Page, { account, password }: Credentials): Promise<void> {
  await page.locator('#login-account').fill(account);
  await page.locator('#login-password').fill(password);
  await page.locator('#login-password').press('Enter');
  await page.locator('#content').waitFor();
}

/** Gives a login to a tab, as if it had been made there: to its first page only, so that it can end. */
export async function keepLogin(page: Page, token: string): Promise<void> {
  const content = `if (window === window.top && !sessionStorage.getItem('began')) {
    sessionStorage.setItem('began', '1');
    sessionStorage.setItem('console.token', '${token}');
  }`;
  await page.addInitScript({ content });
}

/** What a tab begins with, besides the defaults of a new visitor. */
export interface Appearance {
  locale?: 'zh_CN' | 'en';
  theme?: 'light' | 'dark';
}

/** Chooses locale and theme as the switches of the console do. */
export async function chooseAppearance(page: Page, appearance: Appearance): Promise<void> {
  const content = Object.entries(appearance)
    .map(
      ([name, value]) =>
        `localStorage.getItem('console.${name}') ?? localStorage.setItem('console.${name}', '${value}');`,
    )
    .join('\n');
  // Sandboxed frames, which show rich text, have no storage.
  await page.addInitScript({ content: `if (window === window.top) { ${content} }` });
}

/** Paths of all pages in the menu. */
export async function listPages(page: Page): Promise<string[]> {
  const links = page.locator('.shell-side .side-menu li a');
  await links.nth(1).waitFor();
  const paths = await Promise.all((await links.all()).map((link) => link.getAttribute('href')));
  return paths.map(String);
}

/** Waits until a page shows its data: its title is there, and nothing is loading. */
export async function untilLoaded(page: Page): Promise<void> {
  await page.locator('#content h1').first().waitFor();
  const loading = page.locator('.el-loading-mask, .el-skeleton, .is-loading').filter({ visible: true });
  await loading.first().waitFor({ state: 'hidden' });
}
