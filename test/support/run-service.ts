import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What became of a command. */
export interface CommandResult {
  code: number;
  /** What it printed. */
  printed: string;
  /** What it complained of. */
  complaint: string;
}

/** Runs `npm run service -- …` in a project's folder, without a terminal. */
export const runService = (
  root: string,
  environment: NodeJS.ProcessEnv,
  ...args: string[]
): Promise<CommandResult> => runServiceWithInput('', root, environment, ...args);

/** As {@link runService}, with a text on standard input. */
export function runServiceWithInput(
  input: string,
  root: string,
  environment: NodeJS.ProcessEnv,
  ...args: string[]
): Promise<CommandResult> {
  const { PATH, HOME } = process.env;
  // A command is half of its time reading sources.
  const NODE_COMPILE_CACHE = join(tmpdir(), 'compile-cache');
  const options = { cwd: root, env: { PATH, HOME, NODE_COMPILE_CACHE, ...environment } };
  return new Promise((resolve) => {
    const child = execFile('node', ['cli/service.ts', ...args], options, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), printed: stdout.trim(), complaint: stderr.trim() }),
    );
    child.stdin?.end(input);
  });
}
