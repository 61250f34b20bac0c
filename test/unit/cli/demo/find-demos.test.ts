import { expect, test } from '@jest/globals';
import { orderByRequirements } from '#cli/demo/find-demos.ts';

const manifest = (name: string, ...requires: string[]) => ({
  ...{ name, requires, title: { zh_CN: name, en: name }, version: '1.0.0' },
});
const namesOf = (...manifests: ReturnType<typeof manifest>[]) =>
  orderByRequirements(manifests).map(({ name }) => name);

test('puts modules after those that they require, also indirectly', () => {
  expect(namesOf(manifest('C', 'B'), manifest('B', 'A'), manifest('A'))).toEqual(['A', 'B', 'C']);
});

test('keeps the order of modules that do not require each other', () => {
  expect(namesOf(manifest('B'), manifest('A'), manifest('C', 'A'))).toEqual(['B', 'A', 'C']);
});

test('leaves out a required module that is not given', () => {
  expect(namesOf(manifest('B', 'A'))).toEqual(['B']);
});
