import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bundle, bundleBare, bundleOurs } from './bundles.ts';
import { createInvocation } from './event.ts';
import type { Stack } from './stack.ts';

/** A route that is measured, beside what it is compared with. */
export interface Subject {
  label: 'admin' | 'public';
  functionName: string;
  ours: Bundle;
  bare: Bundle;
  empty: Bundle;
  /** Path of the JSON of the invocation. */
  invocationFile: string;
}

const query = { type: 'bank_kind,source_channel' };

/** Bundles what is measured, and writes down what it is asked. */
export async function prepareSubjects(root: string, { folder, token }: Stack): Promise<Subject[]> {
  const empty = await bundleBare('empty.ts', join(folder, 'empty'));
  const prepare = async (label: Subject['label'], path: string, bearer?: string): Promise<Subject> => {
    const functionName = label === 'admin' ? 'system-admin-config-dict' : 'system-api-config-dict';
    const invocationFile = join(folder, `${label}.json`);
    writeFileSync(invocationFile, JSON.stringify(createInvocation(path, query, bearer)));
    const ours = await bundleOurs(root, functionName, join(folder, functionName));
    const bare = await bundleBare(`${label}.ts`, join(folder, `bare-${label}`));
    return { label, functionName, ours, bare, empty, invocationFile };
  };
  return [
    await prepare('admin', '/adminapi/system/config/dict', token),
    await prepare('public', '/api/system/config/dict'),
  ];
}
