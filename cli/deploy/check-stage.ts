import { setTimeout } from 'node:timers/promises';
import * as z from 'zod/mini';
import type { FoundRoute, Manifest } from '#functions/model.ts';
import { reasonOf } from '#functions/scope.ts';
import { listStacks, selectStack } from '#functions/stacks/stack.ts';
import { requiresLogin } from '#shared/http/gates.ts';

/** Tries of each request, because the first one after a deployment may come too early. */
const tries = 3;
const timeoutMs = 35_000;
const healthPath = '/health';

/** A request that shows whether a stack works. */
export interface StageCheck {
  stack: string;
  path: string;
}

/** `/health`, and one read of each stack that has one without parameters. */
export function listChecks(manifest: Manifest): StageCheck[] {
  const checks = listStacks(manifest).flatMap((stack) => {
    const reads = selectStack(manifest, stack).routes.filter(
      ({ route, path }) => route.method === 'GET' && !path.includes('{') && path !== healthPath,
    );
    const [first] = reads.sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1));
    return first ? [{ stack, path: first.path }] : [];
  });
  return [{ stack: 'the service', path: healthPath }, ...checks];
}

/** Open routes first: a request without a login passes fewer steps of the others. */
const rank = ({ route }: FoundRoute): number => (requiresLogin(route) ? 1 : 0);

const bodySchema = z.object({ code: z.optional(z.string()) });

/**
 * Asks a deployed stage.
 *
 * @param url its base URL, without a trailing slash
 * @param pauseMs before another try, in milliseconds
 * @returns what is wrong, one line for each check that failed in every try
 */
export async function checkStage(
  url: string,
  checks: readonly StageCheck[],
  pauseMs: number,
): Promise<string[]> {
  const faults: string[] = [];
  for (const { stack, path } of checks) {
    let fault = await ask(url, path);
    for (let done = 1; fault !== undefined && done < tries; done++) {
      await setTimeout(pauseMs);
      fault = await ask(url, path);
    }
    if (fault !== undefined) faults.push(`${stack}: GET ${path} ${fault}`);
  }
  return faults;
}

/** Why an answer is not that of a working function; undefined if it is. */
async function ask(url: string, path: string): Promise<string | undefined> {
  try {
    const answer = await fetch(`${url}${path}`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const code = readCode(await answer.text());
    // An operator has closed the site; the function works.
    if (code === 'site.closed') return undefined;
    if (answer.status >= 500 || code === 'route.not_found' || !answer.headers.has('x-request-id'))
      return `was answered with ${answer.status}${code ? ` ${code}` : ''}`;
    return path === healthPath && answer.status !== 200 ? `was answered with ${answer.status}` : undefined;
  } catch (error) {
    return `was not answered: ${reasonOf(error)}`;
  }
}

function readCode(body: string): string | undefined {
  try {
    return z.safeParse(bodySchema, JSON.parse(body)).data?.code;
  } catch {
    return undefined;
  }
}
