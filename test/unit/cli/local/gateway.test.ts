import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { findFreePort } from '../../../../cli/local/free-port.ts';
import { startGateway } from '../../../../cli/local/gateway/gateway.ts';

test('is not taken for ready where another server answers on its port', async () => {
  const port = await findFreePort();
  const other = createServer((_request, response) => response.end());
  await new Promise<void>((done) => other.listen(port, '127.0.0.1', done));
  const { PATH, HOME } = process.env;
  const gateway = startGateway({
    root: resolve('.'),
    port,
    lambdaPort: await findFreePort(),
    environment: { PATH, HOME },
    onExit() {},
  });

  await expect(gateway.serve('{}')).rejects.toThrow(
    /^the gateway ended before it was ready: (.|\n)*EADDRINUSE/,
  );

  await gateway.stop();
  await new Promise((done) => other.close(done));
});
