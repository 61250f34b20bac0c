import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { type Dimension, type Throttle, type ThrottleRule, throttles } from '#shared/config/throttles.ts';
import { listThrottles } from '#shared/http/gates.ts';
import { projectRoot } from '../../support/local-server.ts';
import { discoverHere } from './openapi/fixture.ts';

const windows: Record<number, string> = { 60: 'a minute', 3600: 'an hour', 86400: 'a day' };
const dimensions: Record<Dimension, string> = {
  address: 'an address',
  account: 'an account',
  mobile: 'a mobile',
  principal: 'a principal',
  guest_address: "a guest's address",
  refused_address: 'an address (refused tokens only)',
  ticket: 'a ticket',
};

function describeRule({ by, limit, windowSeconds }: ThrottleRule): string {
  const who = by.map((dimension) => dimensions[dimension]).join(' from ');
  return `${limit.toLocaleString('en')} ${windows[windowSeconds]} for ${who}`;
}

/** The table of all limits, as it must be in docs/api.md. */
async function renderTable(): Promise<string> {
  const { routes } = await discoverHere();
  const listRoutes = (name: string) =>
    routes
      .filter(({ route }) => listThrottles(route).some((each) => each === name))
      .map(({ path, route }) => `\`${route.method} ${path}\``)
      .sort();
  const rows = Object.entries<Throttle>(throttles).map(([name, { rules, fallback }]) => [
    `\`${name}\``,
    rules.map(describeRule).join('; '),
    fallback,
    listRoutes(name).join(', '),
  ]);
  const lines = [['name', 'limit', 'counted without the cache', 'routes'], Array(4).fill('---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

test('docs/api.md has every limit as it is configured, with its routes', async () => {
  const page = readFileSync(join(projectRoot, 'docs/api.md'), 'utf8');

  expect(/^\| name \| limit \|(?:.*\n)+?(?=\n)/m.exec(page)?.[0].trim()).toBe(await renderTable());
});
