import type * as icons from '@element-plus/icons-vue';
import type { LocalisedText } from '#shared/schema/component.ts';

/** What a page of a module declares: `export const page = definePage({ … })` with literal values only. */
export interface PageDeclaration {
  /**
   * Below the module, as in the URL: `orders` of the module Shop is `/console/shop/orders`. A page with the path of an
   * admin folder replaces the generated page. A standalone page is below `/console/` itself.
   */
  path: string;
  title: LocalisedText;
  /** The permission that shows it, without kind: `shop/order/list`. Without one every administrator sees it. */
  permission?: string;
  /** Place in the menu of the module, from small to large. @default 100 */
  order?: number;
  /** Picture in the menu, by its name in `@element-plus/icons-vue`. @default a sheet of paper */
  icon?: keyof typeof icons;
  /** Heading in the menu, over all pages of the module with the same one. @default the module's title */
  group?: LocalisedText;
  /** Other admin folders whose generated pages it replaces: `file/category`. */
  replaces?: readonly string[];
  /** Shown without the menu, and not in it: a page that other programs open for an administrator. @default false */
  standalone?: boolean;
  /** Further entries of Ctrl+K beside the page itself and its “add”. */
  commands?: readonly PageCommand[];
}

/** Something that an operator does on a page, found by its title. */
export interface PageCommand {
  title: LocalisedText;
  /** What follows the address of the page: `#add`, `?tab=password`. */
  to: string;
  /** The permission that shows it, without kind. @default that of the page */
  permission?: string;
}

/** Types the declaration; the build reads it from the source. */
export const definePage = (page: PageDeclaration): PageDeclaration => page;
