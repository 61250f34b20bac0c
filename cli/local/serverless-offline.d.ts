declare module 'serverless-offline' {
  import type { Server } from 'node:http';

  type Level = 'error' | 'warning' | 'notice' | 'info' | 'verbose' | 'debug';
  type Log = Record<Level, (...text: unknown[]) => void>;

  /** The used part of hapi's server. */
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

  export default class ServerlessOffline {
    constructor(framework: object, options: object, utils: { log: Log });
    /** Settles when it answers requests. */
    start(): Promise<void>;
    /** Stops its servers after the current requests. @param isKept whether the process continues */
    end(isKept: boolean): Promise<void>;
    internals(): { getApiGatewayServer(): HapiServer };
  }
}
