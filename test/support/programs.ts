import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '@jest/globals';
import { projectRoot } from './local-server.ts';

// Programs of others, in `test/clients/`, which has packages of its own: `npm ci --prefix test/clients`.

const installed = join(projectRoot, 'test/clients/node_modules/.bin');

export const hasPrograms = existsSync(installed) || Boolean(process.env.CI);

/** A program of `test/clients/package.json`. */
export const program = (name: string): string => join(installed, name);

/** Skipped if the programs are not installed, except under `CI`. */
export const programTest = hasPrograms ? test : test.skip;
