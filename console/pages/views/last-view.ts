import { administrator } from '../../base/session.ts';

// The saved view that a page showed last comes back with the page. This browser remembers it, for each administrator.

const keyOf = (path: string): string => `console.view.${administrator.value?.id}.${path}`;

/** @param path of the page, below `/console/`. @param view undefined if the page shows none */
export function keepLastView(path: string, view: string | undefined): void {
  if (view === undefined) localStorage.removeItem(keyOf(path));
  else localStorage.setItem(keyOf(path), view);
}

/** The ID of a view, which may be deleted by now; undefined if the page showed none. */
export const findLastView = (path: string): string | undefined =>
  localStorage.getItem(keyOf(path)) ?? undefined;
