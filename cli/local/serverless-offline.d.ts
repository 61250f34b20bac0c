declare module 'serverless-offline' {
  import type { IncomingMessage, Server } from 'node:http';

  type Headers = Record<string, unknown>;
  interface HapiRequest {
    headers: Record<string, string | undefined>;
    raw: { req: IncomingMessage };
    url: URL;
    response:
      | { isBoom?: false; source: unknown; headers: Headers }
      | { isBoom: true; output: { headers: Headers } };
  }
  interface HapiToolkit {
    continue: symbol;
    response(value: object): { code(status: number): unknown };
  }
  /** The used part of hapi's server. */
  export interface HapiServer {
    listener: Server;
    ext(
      event: 'onPreHandler' | 'onPreResponse',
      method: (request: HapiRequest, toolkit: HapiToolkit) => unknown,
    ): void;
  }

  export default class ServerlessOffline {
    constructor(framework: object, options: object, utils: { log: object });
    /** Settles when it answers requests. */
    start(): Promise<void>;
    /** Stops its servers after the current requests. @param isKept whether the process continues */
    end(isKept: boolean): Promise<void>;
    internals(): { getApiGatewayServer(): HapiServer };
  }
}
