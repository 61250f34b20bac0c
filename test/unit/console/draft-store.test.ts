import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { forgetOldDrafts, readDraft, writeDraft } from '#console/kit/forms/draft-store.ts';

const day = 86_400_000;
const now = Date.parse('2026-05-01T00:00:00Z');
const draft = (at: number) => ({
  at: new Date(at).toISOString(),
  record: { version: 1 },
  model: { title: 'a' },
});

/** The storage of a browser; full above some letters. */
class Storage {
  [name: string]: unknown;
  getItem = (name: string) => this[name] ?? null;
  setItem = (name: string, text: string) => {
    if (text.length > 200) throw new Error('quota');
    this[name] = text;
  };
  removeItem = (name: string) => {
    delete this[name];
  };
}

describe('drafts in the browser', () => {
  beforeEach(() => {
    Object.assign(globalThis, { localStorage: new Storage() });
  });
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'localStorage');
  });

  test('are read as they were written, and removed', () => {
    expect(writeDraft('1.article', draft(now))).toBe(true);
    expect(readDraft('1.article')).toEqual(draft(now));
    expect(readDraft('2.article')).toBeUndefined();
    expect(writeDraft('1.article', undefined)).toBe(true);
    expect(readDraft('1.article')).toBeUndefined();
  });

  test('are said not to be kept if the browser has no space', () => {
    expect(writeDraft('1.article', { ...draft(now), model: { title: 'a'.repeat(200) } })).toBe(false);
  });

  test.each(['{', 'null', '[]', '{"at":1,"model":{}}', '{"at":"a","model":null}'])(
    'are not found if they read %s',
    (text) => {
      localStorage.setItem('console.draft.1.article', text);

      expect(readDraft('1.article')).toBeUndefined();
    },
  );

  test('are removed after 30 days, with those that cannot be read', () => {
    writeDraft('1.new', draft(now - 29 * day));
    writeDraft('2.old', draft(now - 31 * day));
    localStorage.setItem('console.draft.3.broken', '{');
    localStorage.setItem('console.locale', 'en');

    forgetOldDrafts(now);

    const kept = Object.keys(localStorage).filter((name) => name.startsWith('console.'));
    expect(kept.sort()).toEqual(['console.draft.1.new', 'console.locale']);
  });
});
