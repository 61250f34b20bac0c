import { randomBytes } from 'node:crypto';
import { GetParameterCommand, ParameterNotFound, PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { isStageName, serviceName } from '#functions/names.ts';
import { previewTag } from '#functions/stacks/deployment.ts';
import { coreStack } from '#functions/stacks/stack.ts';
import { UsageError } from '../command.ts';
import { readRegion, toStackName, waitForStack } from './stack-state.ts';
import { readCoreOutput, readStageEnvironment, readTableVersion } from './stage-facts.ts';
import { runService } from './verify.ts';

/** Whether a stage is a preview; undefined if it does not exist. */
export async function isPreviewStage(region: string, stage: string): Promise<boolean | undefined> {
  const core = await waitForStack(region, toStackName(coreStack, stage));
  return core && core.Tags?.some(({ Key }) => Key === previewTag) === true;
}

/**
 * Makes the packages of this process those of a preview. A preview never takes the place of another stage, whose table
 * would lose its protection.
 *
 * @param like the stage whose parameters it reads
 * @throws UsageError for a name that is not that of a preview
 */
export function choosePreview(stage: string, like: string | undefined): void {
  if (!/^[a-z]+-\d+$/.test(stage) || !isStageName(stage))
    throw new UsageError(`a preview has a name such as pr-12, not "${stage}"`);
  if (like !== undefined && !isStageName(like)) throw new UsageError(`"${like}" is not the name of a stage`);
  process.env.PREVIEW = like ?? 'own';
}

/** @throws Error if the stage exists, and is a preview although it must not be one, or the reverse */
export async function assertPreview(region: string, stage: string, isPreview: boolean): Promise<void> {
  const is = await isPreviewStage(region, stage);
  if (is === undefined || is === isPreview) return;
  throw new Error(`The stage ${stage} ${is ? 'is a preview: add --preview' : 'is not a preview'}.`);
}

/** The name of a preview's own table. @throws Error if the stage is not a preview, or uses another table */
export async function readPreviewTable(stage: string): Promise<string> {
  const region = readRegion();
  const isPreview = await isPreviewStage(region, stage);
  const table = isPreview ? await readCoreOutput(region, stage, 'TableName') : '';
  if (table.startsWith(`${toStackName(coreStack, stage)}-Table-`)) return table;
  throw new Error(`The stage ${stage} is not a preview with a table of its own.`);
}

/** Parameter with the password of the first administrator of a preview. */
const passwordParameter = (stage: string): string => `/${serviceName}/${stage}/ADMIN_PASSWORD`;

/** Installs a preview, and fills it with example data. Repeats nothing that is done. */
export async function fillPreview(region: string, stage: string): Promise<void> {
  const variables = await readStageEnvironment(region, stage);
  if ((await readTableVersion(region, stage)) === 0) {
    const ADMIN_PASSWORD = await readPassword(region, stage);
    await runService(['install'], { ...variables, ADMIN_PASSWORD });
  }
  // It prints passwords, which must not stay in the log of a run.
  await runService(['demo', '--preview', stage], variables, process.stdout.isTTY ? 'inherit' : 'ignore');
  console.log(`The password of admin is in the parameter ${passwordParameter(stage)}.`);
}

/** The password in the parameter store; makes it if it does not exist. */
async function readPassword(region: string, stage: string): Promise<string> {
  const client = new SSMClient({ region });
  const Name = passwordParameter(stage);
  try {
    const { Parameter } = await client.send(new GetParameterCommand({ Name, WithDecryption: true }));
    if (Parameter?.Value) return Parameter.Value;
  } catch (error) {
    if (!(error instanceof ParameterNotFound)) throw error;
  }
  const Value = randomBytes(18).toString('base64url');
  await client.send(new PutParameterCommand({ Name, Value, Type: 'SecureString', Overwrite: true }));
  return Value;
}
