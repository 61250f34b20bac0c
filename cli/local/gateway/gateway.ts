import { type GatewayOptions, type GatewayProcess, launchGateway } from './gateway-process.ts';

/** serverless-offline in a process of its own. */
export interface Gateway {
  /**
   * Gives it its functions, once, and waits until it answers.
   *
   * @param functions as `describeFunctions` tells them
   * @throws Error with what it printed when it does not start
   */
  serve(functions: string): Promise<void>;
  /** Lets the next request of every function see the sources as they are now. */
  reload(): void;
  /** Starts again, with other functions. @throws Error as `serve` does */
  restart(functions: string): Promise<void>;
  /** Ends it, whether it has begun to answer or not. */
  stop(): Promise<void>;
}

/** Starts the gateway, which loads what does not depend on its functions at once. */
export function startGateway(options: GatewayOptions): Gateway {
  let running: GatewayProcess = launchGateway(options);
  return {
    serve: (functions) => running.serve(functions),
    reload: () => running.reload(),
    restart: async (functions) => {
      await running.end();
      running = launchGateway(options);
      await running.serve(functions);
    },
    stop: () => running.end(),
  };
}
