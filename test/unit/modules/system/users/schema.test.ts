import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { terminal } from '#modules/System/users/schema.ts';
import { terminals } from '#modules/System/users/terminal.ts';

describe('the terminal of a login', () => {
  test.each(Object.values(terminals))('is %d, as a number or as text', (value) => {
    expect(z.parse(terminal, value)).toBe(value);
    expect(z.parse(terminal, String(value))).toBe(value);
  });

  test.each([0, 4, '0', '4', '', ' 1', '1.0', '01', null, undefined, true, ['1'], {}])(
    'refuses %j',
    (value) => {
      expect(z.safeParse(terminal, value).success).toBe(false);
    },
  );
});
