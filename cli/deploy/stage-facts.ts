import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod/mini';
import { fallbackName, serviceName } from '#functions/names.ts';
import { coreStack } from '#functions/stacks/stack.ts';
import { versionKey } from '../migrate.ts';
import { readOutput, toStackName, waitForStack } from './stack-state.ts';

/**
 * Reads an output of the stack `core`.
 *
 * @param names tried in this order; the value of the first one that exists counts
 * @throws Error if the stack does not exist, or has no such output
 */
export async function readCoreOutput(region: string, stage: string, ...names: string[]): Promise<string> {
  const stack = await waitForStack(region, toStackName(coreStack, stage));
  if (!stack) throw new Error(`The stage ${stage} has no stack ${coreStack} in ${region}.`);
  const value = names.map((name) => readOutput(stack, name)).find(Boolean);
  if (value) return value;
  throw new Error(`The stack ${toStackName(coreStack, stage)} has no output ${names.at(-1)}.`);
}

const explainMissing = (what: string): string =>
  `The ${what} does not exist. If it was removed outside of CloudFormation, see docs/deploy-trouble.md, "Removed by hand".`;

const variablesSchema = z.record(z.string(), z.string());

/**
 * The environment of a stage's functions, which holds its secrets: for commands that run on this machine. Never print
 * it.
 *
 * @throws Error without the right to read it
 */
export async function readStageEnvironment(region: string, stage: string): Promise<Record<string, string>> {
  const name = `${serviceName}-${stage}-${fallbackName}`;
  const command = new GetFunctionConfigurationCommand({ FunctionName: name });
  const { Environment } = await new LambdaClient({ region }).send(command).catch((error: Error) => {
    throw error.name === 'ResourceNotFoundException' ? new Error(explainMissing(`function ${name}`)) : error;
  });
  const { data } = z.safeParse(variablesSchema, Environment?.Variables);
  if (data?.TABLE_NAME) return { ...data, AWS_REGION: region };
  throw new Error(`The environment of the function ${name} cannot be read.`);
}

/** The version of the data in the table that a stage uses; 0 if the table carries none. */
export async function readTableVersion(region: string, stage: string): Promise<number> {
  const Key = { pk: { S: versionKey.pk }, sk: { S: versionKey.sk } };
  // The output of `core` names its own table, also while the stage uses another one (`TABLE`).
  const { TABLE_NAME: TableName } = await readStageEnvironment(region, stage);
  const client = new DynamoDBClient({ region });
  const command = new GetItemCommand({ TableName, Key, ConsistentRead: true });
  const { Item } = await client.send(command).catch((error: Error) => {
    throw error.name === 'ResourceNotFoundException'
      ? new Error(explainMissing(`table ${TableName}`))
      : error;
  });
  return Number(Item?.version?.N ?? 0);
}
