import { administrator } from '../../base/session.ts';
import { findPage } from '../pages.ts';
import type { Entry } from './entries.ts';

const most = 8;
/** Names of records end with the tab, as the login does, and belong to one administrator. */
const storageKey = () => `console.recent.${administrator.value?.id}`;

/** What was opened last, the newest first. @param known entries by which the texts of all but records are renewed */
export function listRecent(known: readonly Entry[]): Entry[] {
  return readStored().flatMap((stored) => {
    if (stored.group !== 'records') return known.find(({ key }) => key === stored.key) ?? [];
    // Rights may have changed.
    return findPage(stored.key.slice(1).split('#')[0] ?? '') ? stored : [];
  });
}

export function keepRecent(entry: Entry): void {
  const others = readStored().filter(({ key }) => key !== entry.key);
  sessionStorage.setItem(storageKey(), JSON.stringify([entry, ...others].slice(0, most)));
}

function readStored(): Entry[] {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey()) ?? '[]');
  } catch {
    return [];
  }
}
