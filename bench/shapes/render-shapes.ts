import type { Shape, ShapeFigures } from './measure-shapes.ts';
import { simulateDay, type Traffic } from './simulate-day.ts';

/** A service of 25 modules with five resources of eight routes each. */
const [modules, folders, routes] = [25, 5, 8];

/** What a day asks of a resource: mostly its list and its records. The others share the rest. */
const parts = [0.5, 0.25, 0.1, 0.05, 0.04, 0.03, 0.02, 0.01];

/** The second resource of a module is asked half as often as the first, the third a third as often; so are modules. */
function createTraffic(shape: Shape): Traffic[] {
  const traffic: Traffic[] = [];
  const weigh = (index: number) => 1 / (index + 1);
  for (let module = 0; module < modules; module++) {
    for (let folder = 0; folder < folders; folder++) {
      for (let route = 0; route < routes; route++) {
        const names = {
          module: `${module}`,
          folder: `${module}-${folder}`,
          route: `${module}-${folder}-${route}`,
        };
        const part = weigh(module) * weigh(folder) * (parts[route] ?? 0);
        traffic.push({ functionName: names[shape], part });
      }
    }
  }
  const sum = traffic.reduce((total, { part }) => total + part, 0);
  return traffic.map(({ functionName, part }) => ({ functionName, part: part / sum }));
}

/** Requests of the simulated days. */
const days = [1_000, 10_000, 100_000];

const toPercent = (part: number): string => `${(part * 100).toFixed(1)} %`;
const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
const toKb = (bytes: number): string => `${Math.round(bytes / 1000)} KB`;

/** A table of the measured cold starts, and of the warm starts in simulated days. */
export function renderShapes(figures: readonly ShapeFigures[]): string {
  return [
    row([
      'a function for',
      'routes',
      'bytes at start',
      'in all',
      'cold start',
      'of the single one',
      ...days.map((count) => `warm at ${count} a day`),
    ]),
    row(Array.from({ length: 6 + days.length }, () => '---')),
    ...figures.map(({ shape, routes: count, startBytes, allBytes, processMs, ratio }) =>
      row([
        shape,
        count,
        toKb(startBytes),
        toKb(allBytes),
        `${Math.round(processMs)} ms`,
        ratio.toFixed(2),
        ...days.map((perDay) => toPercent(simulateDay(createTraffic(shape), perDay))),
      ]),
    ),
  ].join('\n');
}
