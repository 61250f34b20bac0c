import { enableCompileCache } from 'node:module';
import { compileCache } from './project.ts';

// `npm run service -- <command> [arguments]`

enableCompileCache(compileCache);
// Loaded only now, so that all of it comes from the cache.
await import('./run-command.ts');
