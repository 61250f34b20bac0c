import { join } from 'node:path';
import { createProgram, runProgram } from '../command.ts';
import { loadEnvFile } from '../environment.ts';
import { findPort } from '../local/data-directory.ts';
import { readDataDir, root } from '../project.ts';

async function develop(port: string | undefined): Promise<void> {
  loadEnvFile();
  const dataDir = readDataDir();
  const served = findPort(dataDir);
  if (served === undefined) {
    throw new Error(`Start the local server first, with npm start: no server runs on ${dataDir} (DATA_DIR)`);
  }
  // `console/vite.config.ts` reads it.
  process.env.PORT = String(served);
  const { prepareConsole } = await import('./prepare.ts');
  await prepareConsole();
  const { createServer } = await import('vite');
  const server = await createServer({
    configFile: join(root, 'console', 'vite.config.ts'),
    clearScreen: false,
    server: { port: Number(port ?? 5173), strictPort: port !== undefined },
  });
  await server.listen();
  console.log(
    `Console with hot reload: ${server.resolvedUrls?.local[0]}  service: http://localhost:${served}`,
  );
}

const program = createProgram(
  'npm run console',
  'Serves the console with hot reload, in front of a running npm start, until Ctrl-C.',
)
  .option('--port <PORT>', 'of this server; 5173 or the next free one without it')
  .action(({ port }) => develop(port));
const exitCode = await runProgram(program);
if (exitCode !== 0) process.exit(exitCode);
