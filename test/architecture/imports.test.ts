import { expect, test } from '@jest/globals';
import { checkImports } from './check-imports.ts';
import { keepScripts, readSources } from './read-sources.ts';

const folders = ['modules', 'shared', 'functions', 'cli', 'console'];

test('finds the sources of every folder, and components', () => {
  const files = Object.keys(readSources(folders));

  for (const folder of folders) expect(files.some((file) => file.startsWith(`${folder}/`))).toBe(true);
  for (const folder of ['console', 'modules'])
    expect(files.some((file) => file.startsWith(`${folder}/`) && file.endsWith('.vue'))).toBe(true);
});

test('reads the scripts of a component at their lines', () => {
  const text = `<!-- import './never.ts' -->\n<script lang="ts">\nimport './a.ts';\n</script>\n<script setup>\nimport './b.ts';\n</script>\n<template>import './c.ts'</template>`;

  expect(keepScripts(text)).toBe(`\n\nimport './a.ts';\n\n\nimport './b.ts';\n\n`);
});

test('the sources import each other only as the architecture allows', () => {
  const problems = checkImports(readSources(folders));

  expect(problems).toEqual([]);
});
