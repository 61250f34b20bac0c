import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleOurs } from '../bundles.ts';
import { receive, startChild } from '../child.ts';
import type { Stack } from '../stack.ts';
import type { GrowthCase } from './cases.ts';
import { startCountingProxy } from './counting-proxy.ts';
import type { Reads } from './reads.ts';

/** The reads of one request with nothing cached, and with everything cached. */
export interface CaseReads {
  miss: Reads;
  hit: Reads;
}

/** Counts the reads of a request. */
export async function measureReads(root: string, stack: Stack, asked: GrowthCase): Promise<CaseReads> {
  const { functionName, invocation } = asked;
  const { folder, environment } = stack;
  const invocationFile = join(folder, 'growth.json');
  writeFileSync(invocationFile, JSON.stringify(invocation));
  const url =
    bundled.get(functionName) ?? (await bundleOurs(root, functionName, join(folder, functionName))).url;
  bundled.set(functionName, url);
  const proxy = await startCountingProxy(environment.DYNAMODB_ENDPOINT ?? '');
  const child = startChild({
    script: 'serve',
    args: [url, invocationFile],
    environment: { ...environment, DYNAMODB_ENDPOINT: proxy.url },
  });
  const invoke = async () => {
    child.send('invoke');
    const { statusCode, body } = await receive<{ statusCode: number; body: string }>(child);
    if (statusCode !== 200) throw new Error(`${asked.name} answered ${statusCode}: ${body}`);
    return proxy.takeReads();
  };
  try {
    await stack.dropCached();
    const miss = await invoke();
    // This request sends the fills of the miss.
    await invoke();
    return { miss, hit: await invoke() };
  } finally {
    child.kill();
    proxy.stop();
  }
}

/** URLs of what is bundled, by function. */
const bundled = new Map<string, string>();
