import { enableCompileCache } from 'node:module';
import { compileCache } from './compile-cache.ts';

// `npm start`: the whole service on this machine.

enableCompileCache(compileCache);
// Loaded only now, so that all of it comes from the cache.
await import('./run-stack.ts');
