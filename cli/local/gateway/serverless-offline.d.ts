declare module 'serverless-offline' {
  import type { GatewayService } from './create-service.ts';

  type Level = 'error' | 'warning' | 'notice' | 'info' | 'verbose' | 'debug';
  type Log = Record<Level, (...text: unknown[]) => void>;

  /** The plugin as its command line uses it. */
  export default class ServerlessOffline {
    constructor(
      serverless: { service: GatewayService; serviceDir: string; config: { servicePath: string } },
      options: object,
      utils: { log: Log },
    );
    /** Settles once it answers. */
    start(): Promise<void>;
    /** Ends the process, once the requests under way are answered. */
    end(): Promise<void>;
  }
}
