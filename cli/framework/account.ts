import { defaultRegion } from '#functions/names.ts';
import { awsLimits } from '#functions/stacks/limits.ts';
import { type DeployTarget, wholeStack } from '#functions/stacks/stack.ts';
import type { Framework, FrameworkOptions } from './framework.ts';
import { accountCommand } from './no-credentials.ts';

/**
 * Checks the credentials before the framework does anything with the account, by the check of `npm run deploy`. A
 * deployment by hand must not change the URL of a stage either.
 *
 * @throws Error in plain words, with the command that mends it
 */
export async function assertAccount(
  framework: Framework,
  options: FrameworkOptions,
  stage: string,
): Promise<void> {
  const command = framework.processedInput.commands.join(' ');
  if (!accountCommand.test(command)) return;
  const { checkCredentials } = await import('../deploy/check/caller.ts');
  const { region, ...client } = await framework.getProvider('aws').getAwsSdkV3Config();
  const profile = options['aws-profile'] || process.env.AWS_PROFILE;
  // A profile may ask for a code, which takes longer than the check allows; the answer is kept.
  if (profile && process.stdin.isTTY) await client.credentials().catch(() => undefined);
  const found = await checkCredentials(region || defaultRegion, client);
  if (found.state !== 'ok') throw new Error(`${found.text}\nRun: ${found.command}`);
  const isBuilding = /^deploy(?: function)?$/.test(command) && !options.package;
  if (isBuilding && !process.env.PUBLIC_URL) await assertOwnUrl(stage, region || defaultRegion, client);
}

async function assertOwnUrl(stage: string, region: string, client: object): Promise<void> {
  const { getParameters } = await import('../deploy/check/parameters.ts');
  const { publicUrlParameter } = await import('../deploy/check/plan.ts');
  const name = publicUrlParameter(stage);
  if (!(await getParameters(region, [name], client)).has(name)) return;
  throw new Error(
    `The stage has the parameter ${name}. To keep this URL, set PUBLIC_URL=parameter; to use the HTTP API's own, delete the parameter.`,
  );
}

/** @throws Error saying what to do if a stack has too many resources */
export function assertFits(
  { stack, stage }: DeployTarget,
  resources: Readonly<Record<string, object>>,
): void {
  const count = Object.keys(resources).length;
  if (count <= awsLimits.resources) return;
  const [name, advice] =
    stack === wholeStack
      ? ['The whole service', `Deploy one stack for each module: npm run deploy -- --stage ${stage}`]
      : [`The module of the stack ${stack}`, 'Make two modules of this one.'];
  const fault = `${count} resources, and AWS allows ${awsLimits.resources}`;
  throw new Error(`${name} does not fit into one stack: ${fault}. ${advice}`);
}
