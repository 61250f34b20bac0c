import { describe, expect, test } from '@jest/globals';
import type { Report } from '../../../bench/report/render-report.ts';
import { renderReport } from '../../../bench/report/render-report.ts';
import { renderTable } from '../../../bench/report/table.ts';
import { createResult } from './create-result.ts';

const reads = (items: number) => ({ requests: 1, items, capacity: 0.5 });

const createReport = (): Report => ({
  run: {
    date: '2026-01-02',
    command: 'npm run bench',
    node: 'v24.0.0',
    cpu: 'A CPU',
    cores: 2,
    memoryGb: 8,
    cache: 'Redis',
    packages: { hono: '4.0.0', fastify: '5.0.0' },
  },
  results: [createResult()],
  growth: [
    {
      name: 'a list',
      bound: undefined,
      few: { count: 100, miss: reads(20), hit: reads(0) },
      many: { count: 100_000, miss: reads(21), hit: reads(1) },
    },
  ],
  costs: [],
  broken: [],
});

test('a table lines its columns up', () => {
  expect(
    renderTable([
      ['', 'ours'],
      ['cold start', '1'],
      ['a', '12345'],
    ]),
  ).toBe(
    [
      '|            |  ours |',
      '| ---------- | ----: |',
      '| cold start |     1 |',
      '| a          | 12345 |',
    ].join('\n'),
  );
});

describe('a report', () => {
  test('names the machine, the versions, and the command that repeats it', () => {
    const text = renderReport(createReport());

    expect(text).toContain('`npm run bench` on 2026-01-02');
    expect(text).toContain('2 × A CPU, 8 GB, Node 24.0.0, the cache in Redis; hono 4.0.0, fastify 5.0.0.');
  });

  test('tells ratios with their spread, and the times beside them', () => {
    const text = renderReport(createReport()).replace(/ +/g, ' ');

    expect(text).toContain('| cold start, of bare | 0.72 (0.36–1.44) |');
    expect(text).toContain('| warm p50, ms | 65.000 |');
    expect(text).toContain('| requests to cache + database | 1 + 0 |');
    expect(text).toContain('2 round trips one after another (240 ms, 2.00 of the delay)');
  });

  test('begins with one table: ours, bare and the best framework', () => {
    const report = createReport();
    const [result] = report.results;
    if (result) result.cold.processMs.fastify.value = 60;

    const [title, , table] = renderReport(report).replace(/ +/g, ' ').split('\n');

    expect(title).toBe('# Results');
    expect(table).toBe('| | ours | bare | best framework |');
    expect(renderReport(report).replace(/ +/g, ' ')).toContain(
      '| Public dictionary: cold start, ms | 72 (1.00) | 72 | fastify 60 (0.83) |',
    );
  });

  test('tells reads of few and of many items', () => {
    expect(renderReport(createReport()).replace(/ +/g, ' ')).toContain(
      '| a list | 100 → 100000 | 1 / 20 / 0.5 | 1 / 21 / 0.5 | 1 / 0 / 0.5 | 1 / 1 / 0.5 |',
    );
  });

  test('names every broken bound, or says that every bound holds', () => {
    const whole = renderReport(createReport());
    const broken = renderReport({ ...createReport(), broken: ['a: too slow', 'b: too large'] });

    expect(whole).toContain('Every bound holds.');
    expect(broken).toContain('- a: too slow\n- b: too large');
    expect(broken).not.toContain('Every bound holds.');
  });

  test('leaves out what was not measured, and ends with one line break', () => {
    const text = renderReport({ ...createReport(), results: [], growth: [], costs: [] });

    expect(text).not.toContain('Reads by size');
    expect(text).not.toContain('Beside');
    expect(text).toMatch(/[^\n]\n$/);
  });

  test('says so where other work disturbed it', () => {
    const report = createReport();
    const [result] = report.results;
    if (result) result.cold.processMs.empty.p90 = 10 * result.cold.processMs.empty.p10;

    expect(renderReport(report)).toContain('Other work disturbed');
  });
});
