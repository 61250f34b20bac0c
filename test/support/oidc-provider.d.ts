/** The part of `oidc-provider` that the tests use: it brings no types. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  export default class Provider {
    constructor(issuer: string, configuration: object);
    proxy: boolean;
    callback(): RequestListener;
    on(event: string, listener: (...given: unknown[]) => void): this;
    Grant: new (of: {
      accountId: string;
      clientId: string;
    }) => { addOIDCScope(scope: string): void; save(): Promise<string> };
  }
}
