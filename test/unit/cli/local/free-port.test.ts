import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { findFreePort } from '../../../../cli/local/free-port.ts';

test('finds a port that can be listened on', async () => {
  const port = await findFreePort();

  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  expect(server.address()).toMatchObject({ port });
  await new Promise((resolve) => server.close(resolve));
});

test("finds no port of the system's own range", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const ports = await Promise.all(Array.from({ length: 50 }, () => findFreePort()));

  expect(Math.max(...ports)).toBeLessThan(Object(server.address()).port);
  await new Promise((resolve) => server.close(resolve));
});
