// Records what scenarios ask of the stores, in a process of its own: sources keep the environment that they have read.
// Arguments: the options as JSON. What was recorded goes to file descriptor 3.

import { writeFileSync } from 'node:fs';
import { recordScenarios } from '../accounting/record.ts';

const [options] = process.argv.slice(2);
writeFileSync(3, JSON.stringify(await recordScenarios(JSON.parse(options))));
process.exit(0);
