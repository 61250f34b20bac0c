import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { assertPortFree } from '../../../../cli/local/assert-port-free.ts';
import { findFreePort } from '../../../../cli/local/free-port.ts';

test('finds a port that can be listened on', async () => {
  const port = await findFreePort();

  await expect(assertPortFree(port)).resolves.toBeUndefined();
});

test('finds none that the system hands out by itself', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const ports = await Promise.all(Array.from({ length: 50 }, () => findFreePort()));

  expect(Math.max(...ports)).toBeLessThan(Object(server.address()).port);
  await new Promise((resolve) => server.close(resolve));
});

test('names the busy port and the variable that moves it in one line', async () => {
  const server = createServer();
  const port = await findFreePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));

  const refusal = assertPortFree(port, 'PORT');

  await expect(refusal).rejects.toThrow(`Port ${port} is in use: set PORT to another one`);
  await new Promise((resolve) => server.close(resolve));
});
