import { jest } from '@jest/globals';
import type * as OpenEngine from '#shared/storage/engines.ts';

let timeoutMs: number | undefined;

/** How long engines wait for their clouds, in milliseconds; undefined: their default. */
export function setPatience(value: number | undefined): void {
  timeoutMs = value;
}

// Imported before the modules that open engines: tests need not wait for a hanging cloud.
const path = '#shared/storage/engines.ts';
jest.mock(path, () => {
  const actual = jest.requireActual<typeof OpenEngine>(path);
  const openEngine: typeof actual.openEngine = (name, options) =>
    actual.openEngine(name, timeoutMs === undefined ? options : { timeoutMs });
  const openDefaultEngine = async (chosen: string) =>
    openEngine((await actual.openDefaultEngine(chosen)).name);
  return { ...actual, openEngine, openDefaultEngine };
});
