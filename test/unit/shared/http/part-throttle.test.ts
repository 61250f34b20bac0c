import '../../../support/environment.ts';
import { expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { encryptTicket, readTicket } from '#modules/System/files/uploads/ticket.ts';
import throttles from '#modules/System/throttles.ts';
import { form } from '#shared/http/body/form.ts';
import throttle from '#shared/http/gates/throttle.ts';
import { api } from '#shared/http/route.ts';
import { call } from './fake-request.ts';

const route = api.openPost({
  summary: { zh_CN: '测试', en: 'Test' },
  middleware: ['throttle:upload-part'],
  readCredential: readTicket,
  parser: form,
  body: z.strictObject({ ticket: z.string() }),
  data: z.null(),
  handler: async () => null,
});

/** Sends a part. Returns the remaining count. */
async function send(query: string, ticket: string): Promise<unknown> {
  const body = `--X\r\nContent-Disposition: form-data; name="ticket"\r\n\r\n${ticket}\r\n--X--\r\n`;
  const headers = { 'content-type': 'multipart/form-data; boundary=X' };
  const answer = await call(route, { method: 'POST', query, body, headers }, [
    throttle('upload-part', throttles['upload-part']),
  ]);
  expect(answer.status).toBe(200);
  return answer.headers['ratelimit-remaining'];
}

test('counts a part by the ticket in its URL, not by the form', async () => {
  const [first, second, third] = ['1', '2', '3'].map(encryptTicket);

  expect(await send(`ticket=${first}`, String(third))).toBe('599');
  expect(await send(`ticket=${second}`, String(third))).toBe('599');
  expect(await send(`ticket=${first}`, String(second))).toBe('598');
});

test('counts parts without a valid ticket by address', async () => {
  expect(await send('', encryptTicket('4'))).toBe('599');
  expect(await send('ticket=guess', encryptTicket('5'))).toBe('598');
  expect(await send(`ticket=${encryptTicket('6')}&ticket=`, '')).toBe('599');
});
