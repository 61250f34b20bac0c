import { CloudFormationClient, DeleteStackCommand } from '@aws-sdk/client-cloudformation';
import {
  DeleteTableCommand,
  DynamoDBClient,
  paginateListTables,
  ResourceNotFoundException,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb';
import { DeleteParametersCommand, paginateGetParametersByPath, SSMClient } from '@aws-sdk/client-ssm';
import { serviceName } from '#functions/names.ts';
import { coreStack } from '#functions/stacks/stack.ts';
import { anchorParameter } from '#shared/audit/anchor.ts';
import { deleteObjects, isBucketThere, listKeys, openBucket } from '../deploy/bucket.ts';
import { readFailures } from '../deploy/stack-failures.ts';
import { readPollMs, toStackName, waitForStack } from '../deploy/stack-state.ts';
import type { StageStack } from './find-stages.ts';

interface RemoveOptions {
  region: string;
  stage: string;
  /** In the order of their removal. */
  stacks: readonly StageStack[];
  /** Also deletes the table with all data, and the parameters of the stage. */
  withTable: boolean;
  print?: (line: string) => void;
}

/**
 * Removes a stage. `core` goes last, so a removal that was interrupted is finished by the same command: what is left
 * always has a stack.
 *
 * @throws Error naming the stack that CloudFormation did not delete, and why
 */
export async function removeStage(options: RemoveOptions): Promise<void> {
  const { region, stage, stacks, withTable, print = console.log } = options;
  for (const { stack, name } of stacks) {
    if (stack === coreStack && withTable) await removeData(region, stage, print);
    await removeStack(region, name);
    print(`${name} is removed.`);
  }
  if (withTable) {
    // The stacks may be gone since an earlier removal that kept the table.
    if (!stacks.some(({ stack }) => stack === coreStack)) await removeData(region, stage, print);
    return;
  }
  for (const table of await listTables(region, stage)) print(`The table ${table} stays, with all data.`);
}

async function removeStack(region: string, name: string): Promise<void> {
  const before = await waitForStack(region, name);
  if (!before) return;
  const bucket = await openBucket(region, name);
  if (bucket && (await isBucketThere(bucket))) await deleteObjects(bucket, await listKeys(bucket, ''));
  await new CloudFormationClient({ region }).send(new DeleteStackCommand({ StackName: name }));
  const after = await waitForStack(region, name, readPollMs());
  if (!after || after.StackStatus === 'DELETE_COMPLETE') return;
  const failures = await readFailures(region, name);
  const reasons = failures.map(({ id, type, reason }) => `\n${id} (${type}): ${reason}`).join('');
  const ids = failures.map(({ id }) => id).join(' ');
  const retain = ids
    ? `, or leave these resources: aws cloudformation delete-stack --stack-name ${name} --retain-resources ${ids}`
    : '';
  throw new Error(
    `${name} is ${after.StackStatus}: ${after.StackStatusReason ?? 'see its events'}.${reasons}\nRun this again${retain}`,
  );
}

/** Deletes the tables and parameters of a stage. Idempotent. */
async function removeData(region: string, stage: string, print: (line: string) => void): Promise<void> {
  const client = new DynamoDBClient({ region });
  const ssm = new SSMClient({ region });
  for (const TableName of await listTables(region, stage)) {
    await removeParameters(ssm, anchorParameter(TableName, '*').replace(/\/\*$/, ''));
    try {
      await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: false }));
      await client.send(new DeleteTableCommand({ TableName }));
    } catch (error) {
      if (!(error instanceof ResourceNotFoundException)) throw error;
    }
    print(`The table ${TableName} is deleted.`);
  }
  await removeParameters(ssm, `/${serviceName}/${stage}`);
}

/** The tables that CloudFormation has made for a stage. */
async function listTables(region: string, stage: string): Promise<string[]> {
  const prefix = `${toStackName(coreStack, stage)}-Table-`;
  const names: string[] = [];
  for await (const page of paginateListTables({ client: new DynamoDBClient({ region }) }, {})) {
    names.push(...(page.TableNames ?? []).filter((name) => name.startsWith(prefix)));
  }
  return names;
}

/** Parameters that one request deletes at most. */
const deletedTogether = 10;

async function removeParameters(client: SSMClient, path: string): Promise<void> {
  const names: string[] = [];
  for await (const page of paginateGetParametersByPath({ client }, { Path: path, Recursive: true })) {
    names.push(...(page.Parameters ?? []).flatMap(({ Name }) => Name ?? []));
  }
  for (let at = 0; at < names.length; at += deletedTogether) {
    await client.send(new DeleteParametersCommand({ Names: names.slice(at, at + deletedTogether) }));
  }
}
