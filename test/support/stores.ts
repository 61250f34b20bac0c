import { startDynamoDbEngine } from '#cli/local/dynamodb-engine.ts';
import { startUpstashEndpoint } from '#cli/local/upstash/start-upstash-endpoint.ts';
import { createTempDir } from './local-server.ts';
import { startToggleProxy, type ToggleProxy } from './toggle-proxy.ts';

/** Both stores behind proxies that a test controls. */
export interface SwitchableStores {
  database: ToggleProxy;
  cache: ToggleProxy;
  /** Points a local server at them. */
  environment: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

export async function startSwitchableStores(): Promise<SwitchableStores> {
  const token = 'test-token';
  const engine = await startDynamoDbEngine({
    dataDir: createTempDir(),
    environment: { PATH: process.env.PATH },
  });
  const endpoint = await startUpstashEndpoint({ token });
  const database = await startToggleProxy(engine.endpoint);
  const cache = await startToggleProxy(endpoint.url);
  return {
    database,
    cache,
    environment: {
      DYNAMODB_ENDPOINT: database.url,
      UPSTASH_REDIS_REST_URL: cache.url,
      UPSTASH_REDIS_REST_TOKEN: token,
    },
    async stop() {
      await database.stop();
      await cache.stop();
      await endpoint.stop();
      await engine.stop();
    },
  };
}
