import { createRequire, enableCompileCache } from 'node:module';
import { createProgram } from '../command.ts';
import { compileCache } from '../project.ts';

// `npm start`: `serverless offline` with Node's compile cache.

enableCompileCache(compileCache);
createProgram('npm start', 'Runs the whole service on this machine, until Ctrl-C. Settings: .env.example.')
  .option('--httpPort <PORT>', 'in place of PORT')
  .option('--host <ADDRESS>', 'listens on this address; on 127.0.0.1 and ::1 without it')
  .parse();
if (process.env.npm_lifecycle_event === 'start') {
  // npm runs this in a shell, and a shell that is ended does not end its children.
  const shell = process.ppid;
  setInterval(() => process.ppid === shell || process.kill(process.pid, 'SIGTERM'), 1000).unref();
}
process.argv.splice(2, 0, 'offline');
createRequire(import.meta.url)('serverless/bin/serverless.js');
