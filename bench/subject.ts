import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bundle, bundleBare, bundleOurs } from './bundles.ts';
import { createInvocation, type Invocation } from './event.ts';
import type { Stack } from './stack.ts';

/** A route that is measured, beside what it is compared with. */
export interface Subject {
  /** Name of the handler in `bench/bare` that it is compared with. */
  label: 'admin' | 'public' | 'mcp';
  functionName: string;
  ours: Bundle;
  bare: Bundle;
  empty: Bundle;
  /** Path of the JSON of the invocation. */
  invocationFile: string;
}

type Asked = Pick<Subject, 'label' | 'functionName'> & { invocation: Invocation };

const query = { type: 'bank_kind,source_channel' };
const toolCall = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'system.ai_settings', arguments: {} },
};

/** What the functions are asked; all of it can be cached. */
const listAsked = (token: string): Asked[] => [
  {
    label: 'admin',
    functionName: 'system-admin-config-dict',
    invocation: createInvocation('/adminapi/system/config/dict', query, token),
  },
  {
    label: 'public',
    functionName: 'system-api-config-dict',
    invocation: createInvocation('/api/system/config/dict', query),
  },
  {
    label: 'mcp',
    functionName: 'system-web-mcp-service',
    invocation: fromProgram(createInvocation('/mcp/service', {}, token, JSON.stringify(toolCall))),
  },
];

/** As a program asks, which has no page of an origin. */
function fromProgram({ event, context }: Invocation): Invocation {
  const { origin: _origin, referer: _referer, ...headers } = event.headers;
  return { event: { ...event, headers }, context };
}

/** Bundles what is measured, and writes down what it is asked. */
export async function prepareSubjects(root: string, { folder, token }: Stack): Promise<Subject[]> {
  const empty = await bundleBare('empty.ts', join(folder, 'empty'));
  const subjects: Subject[] = [];
  for (const { label, functionName, invocation } of listAsked(token)) {
    const invocationFile = join(folder, `${label}.json`);
    writeFileSync(invocationFile, JSON.stringify(invocation));
    const ours = await bundleOurs(root, functionName, join(folder, functionName));
    const bare = await bundleBare(`${label}.ts`, join(folder, `bare-${label}`));
    subjects.push({ label, functionName, ours, bare, empty, invocationFile });
  }
  return subjects;
}
