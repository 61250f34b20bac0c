declare module 'serverless-offline' {
  import type { Server } from 'node:http';

  type Level = 'error' | 'warning' | 'notice' | 'info' | 'verbose' | 'debug';
  type Log = Record<Level, (...text: unknown[]) => void>;

  /** The part of hapi's server that this project uses. */
  export interface HapiServer {
    listener: Server;
    ext(event: 'onPreResponse', method: (request: HapiRequest, toolkit: HapiToolkit) => unknown): void;
  }
  export interface HapiToolkit {
    continue: symbol;
    response(value: object): { code(status: number): unknown };
  }
  export interface HapiRequest {
    headers: Record<string, string | undefined>;
    response: HapiResponse | { isBoom: true; output: Pick<HapiResponse, 'headers'> };
  }
  export interface HapiResponse {
    isBoom?: false;
    source: unknown;
    headers: Record<string, unknown>;
  }

  /** The plugin as the framework uses it. */
  export default class ServerlessOffline {
    constructor(framework: object, options: object, utils: { log: Log });
    /** Settles once it answers. */
    start(): Promise<void>;
    /** Ends its servers, once the requests under way are answered. @param isKept whether the process goes on */
    end(isKept: boolean): Promise<void>;
    internals(): { getApiGatewayServer(): HapiServer };
  }
}
