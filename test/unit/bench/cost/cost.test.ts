import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { Usage } from '../../../../bench/accounting/access.ts';
import { toBill, toBilledMs, toScenarioBill } from '../../../../bench/cost/bill.ts';
import { renderCost } from '../../../../bench/cost/render-cost.ts';
import { writeSection } from '../../../../bench/report/write-section.ts';
import { createTempDir } from '../../../support/local-server.ts';

const usage: Usage = {
  accesses: [
    { place: 'table', key: 'a', readUnits: 1, writeUnits: 2 },
    { place: 'gsi1', key: 'b', readUnits: 0, writeUnits: 2 },
    { place: 'cache', key: 'service:c', readUnits: 0, writeUnits: 0 },
  ],
  commands: 3,
  computeMs: 10,
};

test('a bill adds commands, units, memory by time and the two requests up', () => {
  const bill = toBill({ ...usage, computeMs: 100 }, 2048, 0);

  expect(bill).toMatchObject({ commands: 3, writeUnits: 4, readUnits: 1, billedMs: 100, gbMs: 200 });
  // Commands 6, writes 2.5, reads 0.125, gateway 1, requests 0.2, time 0.2 s x 0.0000133334 x 1,000,000.
  expect(bill.perMillion).toBeCloseTo(6 + 2.5 + 0.125 + 1 + 0.2 + 2.66668, 5);
});

test('a function with part of a processor takes longer, and waits for its round trips', () => {
  expect(toBilledMs(usage, 1769, 0)).toBe(10);
  expect(toBilledMs(usage, 512, 2)).toBe(Math.ceil((10 * 1769) / 512 + 6));
  expect(toBilledMs(usage, 3008, 0)).toBe(10);
});

test('what the clock starts does not pay the gateway', () => {
  const recorded = { functionName: 'x', memoryMb: 512, hit: usage, miss: usage };
  const trips = { hit: 1, miss: 1 };
  const routed = toScenarioBill({ ...recorded, scenario: 'system-api-user-info' }, trips);
  const job = toScenarioBill({ ...recorded, scenario: 'system-job-clean-up-uploads' }, trips);

  expect(routed.hit.perMillion - job.hit.perMillion).toBeCloseTo(1);
});

test('the page tells prices with their day, and each route warm and uncached', () => {
  const recorded = { scenario: 'a-route', functionName: 'a-route', memoryMb: 512, hit: usage, miss: usage };
  const text = renderCost([toScenarioBill(recorded, { hit: 1, miss: 2 })]).replace(/ +/g, ' ');

  expect(text).toMatch(/List prices of us-east-1 on \d{4}-\d\d-\d\d/);
  expect(text).toContain('| Upstash, pay as you go, per million commands | $2.00 |');
  expect(text).toContain('| `a-route` | 3 | 4 | 1 | 19.0 |');
});

test('a section of a page is replaced, and the rest stays', () => {
  const file = join(createTempDir(), 'page.md');
  writeFileSync(file, 'before\n<!-- cost -->\nold\n<!-- /cost -->\nafter\n');
  writeSection(file, 'cost', 'new');
  writeSection(file, 'cost', 'newer');

  expect(readFileSync(file, 'utf8')).toBe('before\n<!-- cost -->\n\nnewer\n\n<!-- /cost -->\nafter\n');
  expect(() => writeSection(file, 'scale', 'new')).toThrow('has no section scale');
});
