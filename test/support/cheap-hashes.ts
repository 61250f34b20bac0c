import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

// Loaded into the processes of a test's server before anything else (`node --import`). Hashing passwords is made
// to take its time, again and again in tests; a start by npm keeps the real cost.

const file = join(process.cwd(), 'shared', 'auth', 'password.ts');
const { currentCost }: typeof import('#shared/auth/password.ts') = await import(pathToFileURL(file).href);
currentCost.ln = 11;
