import type { PageDescription } from '#functions/console/description.ts';
import { description } from '../base/description.ts';

/**
 * The description of an admin folder, for pages by hand that reuse the table, filter or forms of a generated page.
 *
 * @param path as `system/role`
 * @throws Error if no enabled module has the folder
 */
export function usePage(path: string): PageDescription {
  const page = description.value?.pages.find((each) => each.path === path);
  if (!page) throw new Error(`There is no admin folder ${path} with a list`);
  return page;
}
