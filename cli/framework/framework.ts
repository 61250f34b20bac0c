import type { FunctionDefinition } from '#functions/function-map.ts';

/** A function as the framework holds it. */
export type FrameworkFunction = Pick<FunctionDefinition, 'name' | 'handler' | 'events'> &
  Partial<FunctionDefinition> & { role?: object };

/** The part of a Serverless instance that this project's plugin uses. */
export interface Framework {
  service: {
    provider: { environment?: object; httpApi?: object };
    functions: Record<string, FrameworkFunction>;
  };
  processedInput: { commands: string[]; isHelpRequest: boolean };
  classes: { Error: new (message: string, code: string) => Error };
}

/** Options of the command line; those of `serverless offline` are read here. */
export interface FrameworkOptions {
  httpPort?: string | number;
  lambdaPort?: string | number;
  host?: string;
}
