import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const tls = join(__dirname, '../../fixtures/tls');
const read = (name: string) => readFileSync(join(tls, name));

/** What a service needs in its environment to fetch documents of {@link publishClient}. */
export const trustsPublishedClients = {
  ALLOW_PRIVATE_ENDPOINTS: '1',
  NODE_EXTRA_CA_CERTS: join(tls, 'certificate.pem'),
};

/** A client that has published its metadata. */
export interface PublishedClient {
  /** Its ID: the URL of the document. */
  url: string;
  host: string;
  stop(): Promise<void>;
}

/** Publishes the metadata of a client, as a client's maker does on its site. @param more overrides the document */
export async function publishClient(
  name: string,
  redirectUris: readonly string[],
  more: object = {},
): Promise<PublishedClient> {
  const server = createServer({ key: read('key.pem'), cert: read('certificate.pem') });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const host = `localhost:${port}`;
  const url = `https://${host}/clients/metadata.json`;
  const document = {
    client_id: url,
    client_name: name,
    client_uri: `https://${host}`,
    redirect_uris: redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    ...more,
  };
  server.on('request', (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  });
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url, host, stop };
}
