import { expect, test } from '@jest/globals';
import { formatAgo, formatBytes, formatExactTime, formatTime, shortenId } from '#console/fields/format.ts';

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1 KB'],
  [1536, '1.5 KB'],
  [1024 ** 2 - 1, '1 MB'],
  [20 * 1024 ** 2, '20 MB'],
  [3.25 * 1024 ** 3, '3.3 GB'],
  [2000 * 1024 ** 4, '2000 TB'],
])('writes %d bytes as %s', (size, text) => {
  expect(formatBytes(size)).toBe(text);
});

test('writes a time in the zone of the operator, so that it sorts as text', () => {
  expect(formatTime('2026-11-23T18:05:09Z', false, 'Asia/Shanghai')).toBe('2026-11-24 02:05');
  expect(formatTime('2026-11-23T18:05:09Z', true, 'UTC')).toBe('2026-11-23 18:05:09');
});

test.each([
  ['2026-11-23T18:05:09Z', 'now', '现在'],
  ['2026-11-23T18:04:20Z', 'now', '现在'],
  ['2026-11-23T18:04:08Z', '1 minute ago', '1分钟前'],
  ['2026-11-23T16:04:09Z', '2 hours ago', '2小时前'],
  ['2026-11-22T17:05:09Z', 'yesterday', '昨天'],
  ['2026-11-20T18:05:09Z', '3 days ago', '3天前'],
  ['2026-11-09T18:05:09Z', '2 weeks ago', '2周前'],
  ['2026-08-01T18:05:09Z', '3 months ago', '3个月前'],
  ['2023-11-01T18:05:09Z', '3 years ago', '3年前'],
  ['2026-11-23T21:05:09Z', 'in 3 hours', '3小时后'],
])('writes %s from now on as %s', (time, english, chinese) => {
  const now = Date.parse('2026-11-23T18:05:09Z');

  expect([formatAgo(time, 'en', now), formatAgo(time, 'zh-CN', now)]).toEqual([english, chinese]);
});

test('leaves what is no time as it is', () => {
  expect(formatAgo('soon', 'en', 0)).toBe('soon');
  expect(formatTime('soon')).toBe('soon');
  expect(formatExactTime('soon', 'en')).toBe('soon');
});

test('names zone and UTC in the exact time', () => {
  expect(formatExactTime('2026-11-23T18:05:09.250Z', 'en', 'Asia/Shanghai')).toBe(
    'Tuesday, November 24, 2026 at 2:05:09 AM GMT+8 (2026-11-23T18:05:09.250Z)',
  );
});

test('shortens long IDs only', () => {
  expect(shortenId('01KAQ3T9W9F4Z7M2V5H8K1N6RC')).toBe('…H8K1N6RC');
  expect(shortenId('color')).toBe('color');
});
