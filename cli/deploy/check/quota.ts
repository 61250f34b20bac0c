import {
  GetAccountSettingsCommand,
  GetFunctionConcurrencyCommand,
  LambdaClient,
} from '@aws-sdk/client-lambda';
import { ask, describeFailure, type Finding, isDenied } from './finding.ts';

/** A function that reserves concurrency. */
export interface Reserved {
  /** Name in Lambda: `backend-prod-system-api-login-account`. */
  name: string;
  concurrency: number;
}

/** Concurrency that Lambda wants to stay unreserved in a region. */
const leastUnreserved = 100;
const subject = 'concurrency';
const right = 'lambda:GetAccountSettings and lambda:GetFunctionConcurrency';

/** The account's concurrency in a region. */
export interface Quota {
  region: string;
  total: number;
  /** The part that functions have not reserved. */
  free: number;
}

/** Reads the account's quota. @returns the finding instead if it cannot be read: a missing right is a warning */
export async function readQuota(region: string): Promise<Quota | Finding> {
  const client = new LambdaClient({ region, maxAttempts: 2 });
  try {
    const { AccountLimit = {} } = await ask((abortSignal) =>
      client.send(new GetAccountSettingsCommand({}), { abortSignal }),
    );
    const { ConcurrentExecutions: total = 0, UnreservedConcurrentExecutions: free = 0 } = AccountLimit;
    return { region, total, free };
  } catch (error) {
    return explainFailure(region, error);
  }
}

function explainFailure(region: string, error: unknown): Finding {
  const command = `aws lambda get-account-settings --region ${region}`;
  if (!isDenied(error)) return { subject, state: 'failed', text: describeFailure(error), command };
  const text = `not read, because the rights ${right} are missing: see docs/deploy.md, Rights of a deployment`;
  return { subject, state: 'warning', text, command };
}

/**
 * Judges whether the account has room for the concurrency that functions reserve.
 *
 * @param canLeaveOut whether the deployment may go on without reserving: then it is a warning
 * @returns `isReserved` is false if functions must not reserve concurrency
 */
export async function judgeQuota(
  { region, total, free }: Quota,
  reserved: readonly Reserved[],
  canLeaveOut: boolean,
): Promise<{ finding: Finding; isReserved: boolean }> {
  const client = new LambdaClient({ region, maxAttempts: 2 });
  const wanted = sum(reserved.map(({ concurrency }) => concurrency));
  const room = Math.max(0, free - leastUnreserved);
  try {
    const fits = wanted <= room || (await countMissing(client, reserved)) <= room;
    const text = `${wanted} to be reserved of ${total}, of which ${free} are not reserved yet`;
    if (fits) return { isReserved: true, finding: { subject, state: 'ok', text } };
    return { isReserved: !canLeaveOut, finding: describeShortage(region, text, canLeaveOut) };
  } catch (error) {
    return { isReserved: true, finding: explainFailure(region, error) };
  }
}

function describeShortage(region: string, text: string, canLeaveOut: boolean): Finding {
  const reason = `${text}; ${leastUnreserved} must stay unreserved`;
  const effect = canLeaveOut
    ? 'nothing is reserved (CONCURRENCY_FACTOR=0), so that no more than the quota limits logins. Ask for a higher quota, then deploy again'
    : 'set CONCURRENCY_FACTOR=0 where the stacks are packaged, or ask for a higher quota';
  const command = `aws service-quotas request-service-quota-increase --region ${region} --service-code lambda --quota-code L-B99A9384 --desired-value 1000`;
  return { subject, state: canLeaveOut ? 'warning' : 'failed', text: `${reason}: ${effect}`, command };
}

/** What an update would reserve more than the deployed functions do. */
async function countMissing(client: LambdaClient, reserved: readonly Reserved[]): Promise<number> {
  const missing = reserved.map(async ({ name, concurrency }) => {
    const input = new GetFunctionConcurrencyCommand({ FunctionName: name });
    const found = await ask((abortSignal) => client.send(input, { abortSignal })).catch((error) => {
      if (Object(error).name === 'ResourceNotFoundException') return undefined;
      throw error;
    });
    return Math.max(0, concurrency - (found?.ReservedConcurrentExecutions ?? 0));
  });
  return sum(await Promise.all(missing));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
