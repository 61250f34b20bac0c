import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandResult } from './run-service.ts';

/** Runs `npx serverless …` in a project's folder, without a terminal and without input. */
export function runServerless(
  root: string,
  environment: NodeJS.ProcessEnv,
  ...args: string[]
): Promise<CommandResult> {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, NODE_COMPILE_CACHE: join(tmpdir(), 'compile-cache'), ...environment };
  const file = join(root, 'node_modules', '.bin', 'serverless');
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [file, ...args], { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), printed: stdout.trim(), complaint: stderr.trim() }),
    );
    child.stdin?.end();
  });
}
