import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { defaultRegion } from '#functions/names.ts';

/** Commands of the framework that ask the account. */
export const accountCommand = /^(?:deploy|info|logs|metrics|remove|rollback)\b|^invoke$/;

/** Variables that name credentials, also those that the framework reads for one stage: `AWS_PROD_PROFILE`. */
const credentialVariable =
  /^AWS_(?:\w+_)?(?:PROFILE|ACCESS_KEY_ID|TOKEN_FILE|CREDENTIALS_FILE|CONFIG_FILE|CREDENTIALS_(?:FULL|RELATIVE)_URI)$/;

/**
 * Ends a command that asks the account if there are no credentials, before the sources are read. It looks only if no
 * variable, option or file can name some: then the address that a machine in the cloud has is left. Everything else is
 * checked later by `assertAccount`.
 *
 * @param args of the framework
 */
export async function refuseWithoutCredentials(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const hasNames = Object.keys(environment).some(
    (name) => environment[name] && credentialVariable.test(name),
  );
  const isLeft = args.some((each) => /^(?:--help|-h|--aws-profile\b.*)$/.test(each));
  if (!accountCommand.test(args.join(' ')) || isLeft || hasNames || existsSync(join(homedir(), '.aws')))
    return;
  const { checkCredentials } = await import('../deploy/check/caller.ts');
  const found = await checkCredentials(environment.AWS_REGION || defaultRegion);
  if (found.state === 'ok') return;
  console.error(`${found.text}\nRun: ${found.command}`);
  process.exit(1);
}
