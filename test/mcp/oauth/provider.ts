import type { OAuthClientProvider, OAuthDiscoveryState } from '@modelcontextprotocol/client';
import type { OAuthDiscoveryState as OldDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';

type NewTokens = Awaited<ReturnType<OAuthClientProvider['tokens']>>;
type Discovery = OAuthDiscoveryState & OldDiscoveryState;

/** The part of an official client that an application brings: it keeps tokens, and opens the browser. */
export class Provider {
  readonly redirectUrl: string;
  readonly clientMetadataUrl: string | undefined;
  readonly clientMetadata;
  /** What the browser was to open last. */
  opened: URL | undefined;
  stored: (NewTokens & OAuthTokens) | undefined;
  #client: { client_id: string } | undefined;
  #verifier = '';
  #discovery: Discovery | undefined;

  /** @param client by its document, or as it is registered */
  constructor(redirectUrl: string, client: { metadataUrl: string } | { id: string }) {
    this.redirectUrl = redirectUrl;
    this.clientMetadata = { redirect_uris: [redirectUrl], client_name: 'test' };
    if ('id' in client) this.#client = { client_id: client.id };
    else this.clientMetadataUrl = client.metadataUrl;
  }

  state = () => 'a state & more';
  clientInformation = () => this.#client;
  saveClientInformation(given: { client_id: string }): void {
    this.#client = given;
  }
  tokens = () => this.stored;
  saveTokens(tokens: NewTokens & OAuthTokens): void {
    this.stored = tokens;
  }
  redirectToAuthorization(url: URL): void {
    this.opened = url;
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  codeVerifier = () => this.#verifier;
  saveDiscoveryState(state: Discovery): void {
    this.#discovery = state;
  }
  discoveryState = () => this.#discovery;
}
