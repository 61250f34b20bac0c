import { modulePages } from 'virtual:module-pages';
import { type AsyncComponentLoader, type Component, computed } from 'vue';
import type { PageDescription } from '#functions/console/description.ts';
import type { LocalisedText } from '#shared/schema/component.ts';
import { description } from '../base/description.ts';
import { can } from '../base/session.ts';
import type { PageCommand, PageDeclaration } from '../kit/page.ts';

/** The page of the settings, whose groups and fields have addresses. */
export const settingsPath = 'system/setting/config';

/** A page that a module brings, as the build reads it. */
export type ModulePage = PageDeclaration & {
  module: string;
  /** The picture that its `icon` names. */
  picture?: Component;
  load(): Promise<unknown>;
  loadCard?: LoadCard;
};
/** Loads the card of the start page that stands beside a page. */
type LoadCard = AsyncComponentLoader<Component>;

/** A page of the menu. */
export interface Page {
  /** Below `/console/`. */
  path: string;
  title: LocalisedText;
  module: string;
  order: number;
  icon?: Component | undefined;
  /** Heading of its group in the menu. @default the module's title */
  group?: LocalisedText | undefined;
  /** Present for a generated page. */
  described?: PageDescription;
  /** Present for a page by hand. */
  load?: ModulePage['load'];
  /** Present for a page with a card of the start page. */
  loadCard?: LoadCard;
  /** Further entries of Ctrl+K. */
  commands?: readonly PageCommand[];
}

/** All pages that the administrator may see, without the start page. */
export const pages = computed<Page[]>(() => {
  if (!description.value) return [];
  const { modules, pages: described } = description.value;
  const permitted = modulePages.filter(({ permission }) => !permission || can(permission));
  const byHand = permitted.flatMap((page): Page[] => {
    if (page.standalone) return [];
    const prefix = modules.find(({ name }) => name === page.module)?.prefix;
    if (prefix === undefined) return [];
    const { title, order = 100, load, loadCard, commands = [], module, group, picture: icon } = page;
    const own = { path: `${prefix}/${page.path}`, title, module, order, load, commands, group, icon };
    return [loadCard ? { ...own, loadCard } : own];
  });
  const taken = new Set(
    permitted.flatMap(({ module, path, replaces = [] }) =>
      [path, ...replaces].map((each) => `${module}/${each}`),
    ),
  );
  const generated = described.flatMap((page): Page[] => {
    const prefix = modules.find(({ name }) => name === page.module)?.prefix ?? '';
    if (taken.has(`${page.module}/${page.path.slice(prefix.length + 1)}`)) return [];
    if (!can(page.list.path.replace('/adminapi/', ''))) return [];
    return [{ path: page.path, title: page.title, module: page.module, order: 200, described: page }];
  });
  return [...byHand, ...generated].sort((a, b) => a.order - b.order);
});

/** The pages in the modules' order, those of a module by its own groups. Groups without a page are left out. */
export const menu = computed(() => (description.value?.modules ?? []).flatMap(listGroups));

interface MenuGroup {
  name: string;
  title: LocalisedText;
  pages: Page[];
}

function listGroups(module: { name: string; title: LocalisedText }): MenuGroup[] {
  const groups = new Map<string, MenuGroup>();
  for (const page of pages.value.filter((each) => each.module === module.name)) {
    const title = page.group ?? module.title;
    const group = groups.get(title.en) ?? { name: `${module.name}/${title.en}`, title, pages: [] };
    group.pages.push(page);
    groups.set(title.en, group);
  }
  return [...groups.values()];
}

export const findPage = (path: string): Page | undefined => pages.value.find((page) => page.path === path);
