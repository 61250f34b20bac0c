import type { FunctionDefinition } from '#functions/stacks/function-map.ts';

export type FrameworkFunction = Pick<FunctionDefinition, 'name' | 'handler' | 'events'> &
  Partial<FunctionDefinition> & { role?: object };

/** The used part of a Serverless instance. */
export interface Framework {
  service: {
    provider: { environment?: object; httpApi?: object };
    functions: Record<string, FrameworkFunction>;
    resources: { Resources?: Record<string, object> };
  };
  processedInput: { commands: string[]; isHelpRequest: boolean };
}

/** The used options of `serverless offline` and `invoke local`. */
export interface FrameworkOptions {
  function?: string;
  /** The event of `invoke local`. */
  data?: unknown;
  httpPort?: string | number;
  host?: string;
}
