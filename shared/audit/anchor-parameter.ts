import { GetParameterCommand, ParameterNotFound, PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { EnvironmentError, environment } from '#shared/config/environment.ts';

// The only file that loads this SDK.

/** A text in the parameter store. @throws EnvironmentError without a region */
export function openParameter(Name: string) {
  const { region } = environment().aws;
  if (!region) throw new EnvironmentError('AWS_REGION is not set: the end of the audit log is kept there');
  const client = new SSMClient({ region, maxAttempts: 3 });
  return {
    async read(): Promise<string | undefined> {
      try {
        const { Parameter } = await client.send(new GetParameterCommand({ Name }));
        return Parameter?.Value;
      } catch (error) {
        if (error instanceof ParameterNotFound) return undefined;
        throw error;
      }
    },
    async write(Value: string): Promise<void> {
      await client.send(new PutParameterCommand({ Name, Value, Type: 'String', Overwrite: true }));
    },
  };
}
