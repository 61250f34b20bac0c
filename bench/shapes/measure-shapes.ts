import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderSharedEntry } from '../../functions/bundle/route-keys.ts';
import type { FoundRoute, Manifest } from '../../functions/model.ts';
import { type Bundle, bundleOurs } from '../bundles.ts';
import { runChild } from '../child.ts';
import { createInvocation } from '../event.ts';
import type { Stack } from '../stack.ts';
import { percentile } from '../statistics.ts';

export const shapes = ['route', 'folder', 'module'] as const;
export type Shape = (typeof shapes)[number];

/** The request that is measured, and its function. */
const measured = { path: '/adminapi/article/article/list', functionName: 'article-admin-article-list' };

export interface ShapeFigures {
  shape: Shape;
  /** Routes in the function. */
  routes: number;
  /** That load at the start, and in all. */
  startBytes: number;
  allBytes: number;
  /** Medians, from the start of the process to its first answer. */
  processMs: number;
  /** Median over the median of `route`. */
  ratio: number;
}

/** Cold starts of one request, in turn in a function of its route, of the folder and of the module. */
export async function measureShapes(
  root: string,
  { routes }: Manifest,
  stack: Stack,
  rounds: number,
): Promise<ShapeFigures[]> {
  const own = routes.filter(({ module }) => module === 'Article');
  const isInFolder = ({ path }: FoundRoute) => path.startsWith('/adminapi/article/article/');
  const members = {
    route: own.filter(({ functionName }) => functionName === measured.functionName),
    folder: own.filter(isInFolder),
    module: own,
  };
  const invocationFile = join(stack.folder, 'shape.json');
  writeFileSync(invocationFile, JSON.stringify(createInvocation(measured.path, {}, stack.token)));
  const bundles = new Map<Shape, Bundle>();
  for (const shape of shapes) {
    const name = shape === 'route' ? measured.functionName : `bench-${shape}`;
    if (shape !== 'route') {
      const file = join(root, '.build', 'entries', `${name}.mjs`);
      writeFileSync(file, renderSharedEntry({ name, routes: members[shape] }));
    }
    bundles.set(shape, await bundleOurs(root, name, join(stack.folder, name)));
  }
  const times: Record<Shape, number[]> = { route: [], folder: [], module: [] };
  // In the first round the files are not in the disk cache.
  for (let round = 0; round <= rounds; round++) {
    for (const [shape, { url }] of bundles) {
      const args = [url, invocationFile];
      const { environment } = stack;
      const run = await runChild<{ statusCode: number; processMs: number }>({
        script: 'cold',
        args,
        environment,
      });
      if (run.statusCode !== 200) throw new Error(`${shape} answered ${run.statusCode}`);
      if (round > 0) times[shape].push(run.processMs);
    }
  }
  const base = percentile(times.route, 0.5);
  return [...bundles].map(([shape, { sizeBytes: startBytes, allBytes }]) => {
    const processMs = percentile(times[shape], 0.5);
    const routes = members[shape].length;
    return { shape, routes, startBytes, allBytes, processMs, ratio: processMs / base };
  });
}
