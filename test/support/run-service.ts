import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The result of a command. */
export interface CommandResult {
  code: number;
  /** Standard output. */
  printed: string;
  /** Standard error. */
  complaint: string;
}

/**
 * What a shell hands a command, and a folder for compiled sources: reading them is half of what a command takes. Only
 * tests of the console build it.
 */
export function shellEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env;
  return { PATH, HOME, NODE_COMPILE_CACHE: join(tmpdir(), 'compile-cache'), CONSOLE: 'off' };
}

/** Runs a script in a project's folder, without a terminal. @param input text on standard input */
export function runScript(
  file: string,
  args: readonly string[],
  root: string,
  environment: NodeJS.ProcessEnv,
  input = '',
): Promise<CommandResult> {
  const options = {
    ...{ cwd: root, env: { ...shellEnvironment(), ...environment } },
    maxBuffer: 16 * 1024 ** 2,
  };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [file, ...args], options, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), printed: stdout.trim(), complaint: stderr.trim() }),
    );
    child.stdin?.end(input);
  });
}

/** Runs `npm run service -- …` in a project's folder, without a terminal. */
export const runService = (
  root: string,
  environment: NodeJS.ProcessEnv,
  ...args: string[]
): Promise<CommandResult> => runScript('cli/service.ts', args, root, environment);

/** Runs `npx serverless …` in a project's folder, without a terminal and without input. */
export const runServerless = (
  root: string,
  environment: NodeJS.ProcessEnv,
  ...args: string[]
): Promise<CommandResult> => runScript('node_modules/serverless/bin/serverless.js', args, root, environment);
