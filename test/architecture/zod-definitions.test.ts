import { expect, test } from '@jest/globals';
import { readSources } from './read-sources.ts';

test('one file knows where zod keeps the definitions of schemas', () => {
  const users = Object.entries(readSources(['shared', 'modules', 'functions', 'cli', 'console']))
    .filter(([, source]) => /\b_(?:zod|def)\b/.test(source))
    .map(([file]) => file);

  expect(users).toEqual(['shared/schema/definition.ts']);
});
