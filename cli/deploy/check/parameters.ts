import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { GetParametersCommand, type Parameter, SSMClient, type SSMClientConfig } from '@aws-sdk/client-ssm';
import { checkEnvironment } from '#shared/config/check-environment.ts';
import { ask, describeFailure, type Finding } from './finding.ts';

/** Values of the stores, by the variable that they are for. They are secrets: nothing prints them. */
export type StoredValues = ReadonlyMap<string, string>;

/** Where the environment of the functions takes a value from. */
export interface Sources {
  /** Names in the parameter store, by variable. */
  parameters: ReadonlyMap<string, string>;
  /** The secret in Secrets Manager, and the variables that are its keys. */
  secret?: { id: string; variables: readonly string[] };
}

const ssm = /^\{\{resolve:ssm:([^}]+)\}\}$/;
const secretsManager = /^\{\{resolve:secretsmanager:(.+):SecretString:(\w+)\}\}$/;

/** Reads what CloudFormation will resolve from the environment of a function in a template. */
export function readSources(environment: Readonly<Record<string, unknown>>): Sources {
  const parameters = new Map<string, string>();
  const variables: string[] = [];
  let id = '';
  for (const [variable, value] of Object.entries(environment)) {
    const [, name] = ssm.exec(String(value)) ?? [];
    const [, secret] = secretsManager.exec(String(value)) ?? [];
    if (name) parameters.set(variable, name);
    if (!secret) continue;
    id = secret;
    variables.push(variable);
  }
  return { parameters, ...(variables.length > 0 && { secret: { id, variables } }) };
}

/**
 * Reads the parameters and the secret, and checks them by the rules of the functions' own start.
 *
 * @param optional name of a parameter that is also read, and may be missing
 */
export async function checkParameters(region: string, { parameters, secret }: Sources, optional: string) {
  const values = new Map<string, string>();
  const findings: Finding[] = [];
  let stored: { parameter: Parameter | undefined } | undefined;
  const readStore = async () => {
    const names = [...new Set([...parameters.values(), optional])];
    const found = await getParameters(region, names);
    stored = { parameter: found.get(optional) };
    for (const [variable, name] of parameters)
      findings.push(judgeParameter(region, variable, name, found.get(name), values));
  };
  const readSecret = async () => {
    if (secret) findings.push(...(await judgeSecret(region, secret, values)));
  };
  const stores = [
    { subject: 'parameters', command: `aws ssm get-parameters --region ${region} --names ${optional}` },
    {
      subject: `secret ${secret?.id}`,
      command: `aws secretsmanager describe-secret --region ${region} --secret-id ${secret?.id}`,
    },
  ];
  const results = await Promise.allSettled([readStore(), readSecret()]);
  results.forEach((result, index) => {
    if (result.status === 'fulfilled') return;
    const { subject, command } = stores[index] ?? { subject: '' };
    findings.push({ subject, state: 'failed', text: describeFailure(result.reason), command });
  });
  return { findings, values, stored };
}

/** Reads parameters by name, at most 10. @param options of the client, for example other credentials */
export async function getParameters(
  region: string,
  Names: string[],
  options: SSMClientConfig = {},
): Promise<Map<string, Parameter>> {
  const client = new SSMClient({ ...options, region, maxAttempts: 2 });
  const { Parameters = [] } = await ask((abortSignal) =>
    client.send(new GetParametersCommand({ Names }), { abortSignal }),
  );
  return new Map(Parameters.map((each) => [each.Name ?? '', each]));
}

/** Judges one parameter by the rules of its variable. @param values where a valid value is put */
export function judgeParameter(
  region: string,
  variable: string,
  name: string,
  found: Parameter | undefined,
  values: Map<string, string>,
): Finding {
  const subject = `parameter ${name}`;
  const command = putCommand(region, variable, name, found !== undefined);
  if (!found?.Value) return { subject, state: 'failed', text: 'it is missing', command };
  if (found.Type !== 'String') {
    const text = `it is of type ${found.Type}, which CloudFormation does not resolve here: use String, or SECRET_ID`;
    return {
      subject,
      state: 'failed',
      text,
      command: `aws ssm delete-parameter --region ${region} --name ${name}`,
    };
  }
  return judgeValue(subject, variable, found.Value, command, values);
}

/** The command that sets a parameter. It asks for values that cannot be generated: the shell's history does not keep them. */
export function putCommand(region: string, variable: string, name: string, isReplaced: boolean): string {
  const put = `aws ssm put-parameter --region ${region} --type String --name ${name}${isReplaced ? ' --overwrite' : ''} --value`;
  if (variable === 'APP_KEY' || variable === 'EDGE_SECRET') return `${put} "$(openssl rand -base64 48)"`;
  return `${variable.endsWith('TOKEN') ? 'read -rs' : 'read -r'} VALUE && ${put} "$VALUE"`;
}

/** Keeps a value that is valid. */
function judgeValue(
  subject: string,
  variable: string,
  value: string,
  command: string,
  values: Map<string, string>,
): Finding {
  try {
    // A URL is only valid with a token.
    checkEnvironment({ UPSTASH_REDIS_REST_TOKEN: 'token', [variable]: value });
  } catch (error) {
    return { subject, state: 'failed', text: explainInvalid(variable, error), command };
  }
  values.set(variable, value);
  if (variable === 'UPSTASH_REDIS_REST_URL' && !value.startsWith('https://'))
    return {
      subject,
      state: 'warning',
      text: 'it does not begin with https://: the token is not encrypted',
      command,
    };
  return { subject, state: 'ok', text: 'it is there, and valid' };
}

/** A token that was put into the place of a URL must not be printed. */
const explainInvalid = (variable: string, error: unknown): string =>
  variable.endsWith('URL') ? `${variable} takes an http(s) URL` : describeFailure(Object(error).message);

async function judgeSecret(
  region: string,
  { id, variables }: NonNullable<Sources['secret']>,
  values: Map<string, string>,
): Promise<Finding[]> {
  const client = new SecretsManagerClient({ region, maxAttempts: 2 });
  const subject = `secret ${id}`;
  const edit = `aws secretsmanager put-secret-value --region ${region} --secret-id ${id} --secret-string file://secrets.json`;
  const found = await ask((abortSignal) =>
    client.send(new GetSecretValueCommand({ SecretId: id }), { abortSignal }),
  ).catch((error) => {
    if (Object(error).name === 'ResourceNotFoundException') return undefined;
    throw error;
  });
  if (!found) {
    const command = `aws secretsmanager create-secret --region ${region} --name ${id} --secret-string file://secrets.json`;
    return [{ subject, state: 'failed', text: 'it is missing', command }];
  }
  const content = parse(found.SecretString);
  if (!content) return [{ subject, state: 'failed', text: 'it is not a JSON object', command: edit }];
  return variables.map((variable) => {
    const value = Reflect.get(content, variable);
    const key = `${subject}, ${variable}`;
    if (typeof value !== 'string' || value === '')
      return { subject: key, state: 'failed', text: 'it is missing', command: edit };
    return judgeValue(key, variable, value, edit, values);
  });
}

/** The parser's error would repeat a part of the text. */
function parse(text = ''): object | undefined {
  try {
    const content: unknown = JSON.parse(text);
    return typeof content === 'object' && content !== null ? content : undefined;
  } catch {
    return undefined;
  }
}
