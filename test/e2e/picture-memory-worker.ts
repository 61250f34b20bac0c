import { readFileSync } from 'node:fs';
import '../support/environment.ts';
import { variantNames, variantSizes } from '#shared/storage/naming/variant-path.ts';
import { makeVariant } from '#shared/storage/variants/make-variant.ts';

// Makes the variants of one picture in a process of its own, and prints their sizes and the most memory it used, in MiB.
const [file = ''] = process.argv.slice(2);
const sizes: number[] = [];
for (const name of variantNames)
  sizes.push((await makeVariant(readFileSync(file), variantSizes[name])).length);
// Not `maxRSS`, which counts the process that started this one too.
const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
console.log(JSON.stringify({ sizes, mebibytes: Number(kibibytes) / 1024 }));
