import type { FunctionDefinition } from '#functions/stacks/function-map.ts';

export type FrameworkFunction = Pick<FunctionDefinition, 'name' | 'handler' | 'events'> &
  Partial<FunctionDefinition> & { role?: object };

/** The used part of a Serverless instance. */
export interface Framework {
  service: {
    provider: {
      architecture?: string;
      environment?: object;
      httpApi?: object;
      /** From the compilation on. */
      compiledCloudFormationTemplate?: { Resources: Record<string, { Type: string }> };
    };
    functions: Record<string, FrameworkFunction>;
    resources: { Resources?: Record<string, object> };
  };
  /** The framework's access to AWS, with the credentials that its own options choose. */
  getProvider(name: 'aws'): {
    getAwsSdkV3Config(): Promise<{
      region?: string;
      credentials: () => Promise<{ accessKeyId: string; secretAccessKey: string }>;
    }>;
  };
  processedInput: { commands: string[]; isHelpRequest: boolean };
}

/** The used options of `serverless offline`, `invoke local` and `deploy`. */
export interface FrameworkOptions {
  function?: string;
  /** The event of `invoke local`. */
  data?: unknown;
  /** Folder of the package that is deployed. */
  package?: string;
  'aws-profile'?: string;
  httpPort?: string | number;
  host?: string;
}
