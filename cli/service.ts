import { enableCompileCache } from 'node:module';
import { compileCache } from './project.ts';

// `npm run service -- <command> [arguments]`

enableCompileCache(compileCache);
// Imported after the cache is enabled, so that all sources use it.
await import('./run-command.ts');
