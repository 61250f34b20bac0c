import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Bundle } from './bundles.ts';
import { runChild } from './child.ts';
import { type ByHandler, forEachHandler, handlerNames, mapHandlers } from './handlers.ts';
import type { Subject } from './subject.ts';

/** Files that an invocation loads on a cache hit. */
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

/** Whether code of the AWS SDK was loaded. */
export function isSdkAmong({ files }: Inspection, { sdkFiles }: Bundle): boolean {
  return files.some((url) => sdkFiles.includes(basename(url)));
}

/**
 * Checks one invocation of each: which files it loads, and that all answer the same.
 *
 * @throws Error if the answers differ
 */
export async function inspectLoad({
  bundles,
  invocationFile,
  volatile,
  environment,
}: Subject): Promise<ByHandler<Load>> {
  const found = await forEachHandler((name) => inspect(bundles[name], invocationFile, environment));
  const expected = readAnswer(found.ours, volatile);
  for (const name of handlerNames) {
    if (name !== 'empty' && !isDeepStrictEqual(readAnswer(found[name], volatile), expected)) {
      throw new Error(`the answer of ${name} differs:\n${found.ours.body}\n${found[name].body}`);
    }
  }
  return mapHandlers(found, (inspection, name) => ({
    isSdkLoaded: isSdkAmong(inspection, bundles[name]),
    isUndiciLoaded: inspection.isUndiciLoaded,
  }));
}

/** The part of an answer that must be the same; of volatile fields the type. */
export function readAnswer(
  { statusCode, body }: Pick<Inspection, 'statusCode' | 'body'>,
  volatile: readonly string[],
) {
  const answer: unknown = JSON.parse(body, (name, value) => (volatile.includes(name) ? typeof value : value));
  return { statusCode, answer };
}
