import { serviceName } from '../names.ts';

/** Where CloudFormation finds the secrets of the functions, and the key that encrypts their environment. */
export interface SecretOptions {
  /** Name or ARN of a secret of AWS Secrets Manager that replaces the parameter store for secrets. */
  secretId?: string;
  /** ARN of a KMS key of the operator, instead of the account's `aws/lambda`. */
  kmsKeyArn?: string;
}

const patterns = {
  SECRET_ID: /^(arn:aws[\w-]*:secretsmanager:[\w-]+:\d{12}:secret:)?[\w/+=.@-]{1,512}$/,
  FUNCTIONS_KMS_KEY_ARN: /^arn:aws[\w-]*:kms:[\w-]+:\d{12}:key\/[\w-]{1,64}$/,
} as const;

/**
 * Options for secrets, from the deploying environment (docs/decisions/0016-secrets-of-functions.md).
 *
 * @throws Error naming the variable that is not a name or an ARN of its kind
 */
export function readSecretOptions(environment: NodeJS.ProcessEnv): SecretOptions {
  const read = (name: keyof typeof patterns): string | undefined => {
    const value = environment[name];
    if (!value || patterns[name].test(value)) return value || undefined;
    throw new Error(`${name} is "${value}": see docs/deploy.md, Secrets`);
  };
  const secretId = read('SECRET_ID');
  const kmsKeyArn = read('FUNCTIONS_KMS_KEY_ARN');
  return { ...(secretId && { secretId }), ...(kmsKeyArn && { kmsKeyArn }) };
}

/** A value of the parameter store, which CloudFormation reads when it updates a function. */
export const referParameter = (stage: string, name: string): string =>
  `{{resolve:ssm:/${serviceName}/${stage}/${name}}}`;

/** A secret: a key of the secret in AWS Secrets Manager if the deployment names one, else a parameter. */
export function referSecret(stage: string, name: string, { secretId }: SecretOptions): string {
  return secretId
    ? `{{resolve:secretsmanager:${secretId}:SecretString:${name}}}`
    : referParameter(stage, name);
}
