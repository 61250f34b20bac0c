import type { Locator } from 'playwright-core';
import type { Desk, Tab } from '../fixture.ts';

/** A dialog, a menu or another state of a page, which is judged for barriers. */
export interface State {
  /** Below `/console/`. @default the start page */
  path?: string;
  /** Width of the window. @default 1280 pixels */
  width?: number;
  /** Grants of who has logged in, in a tab of its own; `null` is a visitor. @default the administrator of the tests */
  as?: readonly string[] | null;
  /**
   * Brings the open page into the state.
   *
   * @returns the part to be judged, if the rest of the page was judged before; else the whole page is
   */
  open(tab: Tab, desk: Desk): Promise<Locator | undefined>;
}

/** States by their names. */
export type States = Readonly<Record<string, State>>;

/** Answers a list by a refusal, which is asked for again in the other locale. @returns what the page shows */
export async function refuseList(
  { page, expects }: Tab,
  list: string,
  status: number,
  code: string,
): Promise<Locator> {
  const request = `${status} GET /adminapi/${list}`;
  expects(request, request);
  const json = { code, message: 'The list is refused', data: null, errors: [] };
  await page.route(`**/adminapi/${list}*`, (route) => route.fulfill({ status, json }));
  await page.reload();
  await page.getByRole('alert').first().waitFor();
  return page.locator('#content');
}

/** Waits for a part of a page. @returns the same part */
export async function untilShown(part: Locator): Promise<Locator> {
  await part.waitFor();
  return part;
}
