import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Asked, listAsked } from './asked.ts';
import { type Bundle, bundleOurs, bundlePeer } from './bundles.ts';
import { fillTable } from './growth/fill-table.ts';
import { createFileItem } from './growth/items.ts';
import { type ByHandler, forEachHandler, type HandlerName } from './handlers.ts';
import type { Stack } from './stack.ts';

/** A route that is measured, beside what it is compared with. */
export interface Subject extends Pick<Asked, 'label' | 'functionName' | 'volatile'> {
  bundles: ByHandler<Bundle>;
  /** Path of the JSON of the invocation. */
  invocationFile: string;
  /** Variables of the handlers' processes. */
  environment: Record<string, string>;
}

/** Files in the table, for the list to have pages. */
const fileCount = 100;

/** Bundles what is measured, writes down what it is asked, and puts into the table what it lists. */
export async function prepareSubjects(
  root: string,
  stack: Stack,
  only: readonly string[],
): Promise<Subject[]> {
  await fillTable(0, fileCount, createFileItem);
  const subjects: Subject[] = [];
  const asked = await listAsked(stack.token);
  for (const { label, functionName, volatile, invocation } of asked) {
    if (!only.includes(label)) continue;
    const folder = join(stack.folder, label);
    const bundle = (name: HandlerName) => {
      if (name === 'ours') return bundleOurs(root, functionName, join(folder, name));
      return bundlePeer(name === 'empty' ? 'empty.ts' : `${name}/${label}.ts`, join(folder, name));
    };
    const bundles = await forEachHandler(bundle);
    const invocationFile = join(folder, 'invocation.json');
    writeFileSync(invocationFile, JSON.stringify(invocation));
    // What is uploaded stays out of what is listed.
    const environment = label === 'upload' ? stack.uploadEnvironment : stack.environment;
    subjects.push({ label, functionName, volatile, bundles, invocationFile, environment });
  }
  return subjects;
}
