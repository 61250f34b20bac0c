import { createRequire, enableCompileCache } from 'node:module';
import { compileCache } from './compile-cache.ts';

// `npm start`: `serverless offline`, which keeps what Node has compiled for the next time.

enableCompileCache(compileCache);
process.argv.splice(2, 0, 'offline');
createRequire(import.meta.url)('serverless/bin/serverless.js');
