import { GetCallerIdentityCommand, STSClient, type STSClientConfig } from '@aws-sdk/client-sts';
import { ask, describeFailure, type Finding, OverLimitError } from './finding.ts';

/** Profiles may run a program, or log in. */
const credentialsLimitMs = 4_000;

/** A region that every account of the partition has. */
function homeOf(region: string): string {
  if (region.startsWith('cn-')) return 'cn-north-1';
  return region.startsWith('us-gov-') ? 'us-gov-west-1' : 'us-east-1';
}

async function identify(region: string, options: STSClientConfig): Promise<string> {
  const client = new STSClient({ ...options, region, maxAttempts: 1 });
  let hasCredentials = false;
  const send = async (abortSignal: AbortSignal) => {
    await client.config.credentials();
    hasCredentials = true;
    return client.send(new GetCallerIdentityCommand({}), { abortSignal });
  };
  try {
    const { Account, Arn } = await ask(send, credentialsLimitMs);
    return `account ${Account}, ${Arn}`;
  } catch (error) {
    // The address of a machine in the cloud may never answer on others.
    if (hasCredentials || !(error instanceof OverLimitError)) throw error;
    throw Object.assign(new Error('not found', { cause: error }), { code: 'AWS_CREDENTIALS_NOT_FOUND' });
  }
}

/** What mends credentials, by the name of the error. */
function explainRefusal(error: unknown): Pick<Finding, 'text' | 'command'> {
  const { name, code } = Object(error);
  if (name === 'CredentialsProviderError' || code === 'AWS_CREDENTIALS_NOT_FOUND') {
    const text =
      'no AWS credentials were found. Set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or create a profile';
    return { text, command: 'aws configure' };
  }
  if (/^ExpiredToken/.test(name)) return { text: 'the credentials have expired', command: 'aws sso login' };
  if (/^(?:InvalidClientTokenId|SignatureDoesNotMatch|UnrecognizedClient)/.test(name))
    return { text: `AWS does not accept the credentials (${name})`, command: 'aws configure' };
  return { text: describeFailure(error), command: 'aws sts get-caller-identity' };
}

/**
 * Checks that AWS knows the caller, in at most 4 s: without credentials, the SDK asks for those of a machine in the cloud.
 *
 * @param options of the client, for example other credentials than the SDK's default
 */
export async function checkCredentials(region: string, options: STSClientConfig = {}): Promise<Finding> {
  return (await checkCaller(region, options)).credentials;
}

/** Checks the credentials, and that their account may use the region. */
export async function checkCaller(region: string, options: STSClientConfig = {}) {
  const [home, own] = await Promise.allSettled([
    identify(homeOf(region), options),
    identify(region, options),
  ]);
  const known = [own, home].find((each) => each.status === 'fulfilled');
  const credentials: Finding = known
    ? { subject: 'credentials', state: 'ok', text: known.value }
    : { subject: 'credentials', state: 'failed', ...explainRefusal(Object(home).reason) };
  return { credentials, region: judgeRegion(region, known !== undefined, own) };
}

function judgeRegion(region: string, isKnown: boolean, own: PromiseSettledResult<string>): Finding {
  const subject = 'region';
  if (!isKnown) return { subject, state: 'not tried', text: `${region}: needs the credentials` };
  if (own.status === 'fulfilled') return { subject, state: 'ok', text: region };
  const { name, code } = Object(own.reason);
  if (/^(?:InvalidClientTokenId|UnrecognizedClient|RegionDisabled)/.test(name)) {
    const text = `${region} is not enabled for this account; enabling takes some minutes`;
    return {
      subject,
      state: 'failed',
      text,
      command: `aws account enable-region --region-name ${region}`,
    };
  }
  const text = code === 'ENOTFOUND' ? `there is no region ${region}` : describeFailure(own.reason);
  return { subject, state: 'failed', text: `${region}: ${text}`, command: 'aws account list-regions' };
}
