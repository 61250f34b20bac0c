/** What a form held that was not saved. */
export interface Draft {
  /** ISO 8601. */
  at: string;
  /** The record that the form began with, with its version. */
  record?: unknown;
  model: Record<string, unknown>;
}

const prefix = 'console.draft.';
const longestDays = 30;

/** @param key administrator and record @returns undefined if no draft can be read */
export function readDraft(key: string): Draft | undefined {
  try {
    const { at, record, model } = Object(JSON.parse(localStorage.getItem(prefix + key) ?? 'null'));
    const isWhole = typeof at === 'string' && typeof model === 'object' && model !== null;
    return isWhole ? { at, record, model } : undefined;
  } catch {
    return undefined;
  }
}

/** @param draft undefined removes it @returns whether the browser keeps it: its space is limited */
export function writeDraft(key: string, draft: Draft | undefined): boolean {
  try {
    if (draft) localStorage.setItem(prefix + key, JSON.stringify(draft));
    else localStorage.removeItem(prefix + key);
    return true;
  } catch {
    return false;
  }
}

const draftsOf = (administrator: string): string[] =>
  Object.keys(localStorage).filter((name) => name.startsWith(`${prefix}${administrator}.`));

/** How many drafts the browser keeps for an administrator. @param administrator their ID */
export const countDrafts = (administrator: string): number => draftsOf(administrator).length;

/** Removes the drafts of an administrator, who leaves the browser to others. @param administrator their ID */
export function forgetDrafts(administrator: string): void {
  for (const name of draftsOf(administrator)) localStorage.removeItem(name);
}

/** Removes drafts of all administrators that are too old to be wanted. */
export function forgetOldDrafts(now = Date.now()): void {
  for (const name of Object.keys(localStorage)) {
    if (!name.startsWith(prefix)) continue;
    const at = Date.parse(readDraft(name.slice(prefix.length))?.at ?? '');
    if (!(now - at < longestDays * 86_400_000)) localStorage.removeItem(name);
  }
}
