import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { AppError } from '#shared/errors/app-error.ts';
import { describeError } from '#shared/i18n/messages.ts';
import { english } from './translate.ts';

/** Invalid arguments; the process exits with 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const exitCodes = '\nExit codes: 0 done, or nothing to do; 1 failed or refused; 2 wrong usage.';
const hint = 'Add --help to see the arguments.';

/** Creates a command. The process ends after its help, and for wrong usage. */
export const createCommand = (name: string, summary: string): Command =>
  new Command(name)
    .description(summary)
    .helpOption('-h, --help', 'show this help')
    .addHelpText('after', exitCodes)
    .showHelpAfterError(hint)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));

/** The command line of an npm script. @param script as a user types it: `npm run package` */
export const createProgram = (script: string, summary: string): Command =>
  createCommand(`${script} --`, summary);

/**
 * Runs a command line, and prints why it failed.
 *
 * @returns the exit code: 1 if the action failed; 2 for wrong usage; else that of `process.exitCode`, which an action
 *   may set. @default 0
 */
export async function runProgram(program: CommandUnknownOpts): Promise<number> {
  try {
    await program.parseAsync();
    return Number(process.exitCode ?? 0);
  } catch (error) {
    console.error(explain(error));
    if (!(error instanceof UsageError)) return 1;
    console.error(hint);
    return 2;
  }
}

/** The message of an error, in English: an AppError holds only a code. */
export function explain(error: unknown): string {
  if (!(error instanceof AppError)) return error instanceof Error ? error.message : String(error);
  const { message, errors = [] } = describeError(error, english());
  return [message, ...errors.map((detail) => `  ${detail.path}: ${detail.message}`)].join('\n');
}
