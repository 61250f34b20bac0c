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

/** Options of the command line; those of `serverless offline` and `invoke local` that are read here. */
export interface FrameworkOptions {
  function?: string;
  /** The event of `invoke local`, once it has been read. */
  data?: unknown;
  httpPort?: string | number;
  host?: string;
}
