import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Bundle } from './bundles.ts';
import { runChild } from './child.ts';
import type { Subject } from './subject.ts';

/** What an invocation on a cache hit loads. */
export interface Load {
  isSdkLoaded: boolean;
  isUndiciLoaded: boolean;
}

/** What `bench/child/inspect.mjs` finds. */
export interface Inspection {
  /** Version of Node that ran it. */
  node: string;
  statusCode: number;
  body: string;
  /** URLs of the files that were loaded. */
  files: string[];
  isUndiciLoaded: boolean;
}

/** Invokes a bundle once, in a process of its own. */
export function inspect(
  { url }: Bundle,
  invocationFile: string,
  environment: Record<string, string>,
): Promise<Inspection> {
  return runChild({ script: 'inspect', args: [url, invocationFile], environment });
}

/** True when code of the AWS SDK was loaded. */
export function isSdkAmong({ files }: Inspection, { sdkFiles }: Bundle): boolean {
  return files.some((url) => sdkFiles.includes(basename(url)));
}

/**
 * Looks at one invocation of each: what it loads, and that both answer the same.
 *
 * @throws Error when the answers differ, since then there is nothing to compare
 */
export async function inspectLoad(
  { ours, bare, invocationFile }: Subject,
  environment: Record<string, string>,
): Promise<{ ours: Load; bare: Load }> {
  const found = await inspect(ours, invocationFile, environment);
  const foundBare = await inspect(bare, invocationFile, environment);
  if (!isDeepStrictEqual(JSON.parse(found.body), JSON.parse(foundBare.body))) {
    throw new Error(`the answers differ:\n${found.body}\n${foundBare.body}`);
  }
  return {
    ours: { isSdkLoaded: isSdkAmong(found, ours), isUndiciLoaded: found.isUndiciLoaded },
    bare: { isSdkLoaded: isSdkAmong(foundBare, bare), isUndiciLoaded: foundBare.isUndiciLoaded },
  };
}
