import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { Answer, Client } from '../support/client.ts';
import type { RunningServer } from '../support/local-server.ts';

export const password = 'correct horse battery';
export const loginPath = '/api/system/login/account';

/** A unique mobile. */
export const newMobile = (): string => `13${randomInt(10 ** 8, 10 ** 9)}`;

export const mask = (mobile: string): string => `${mobile.slice(0, 3)}****${mobile.slice(7)}`;

/** Another code of six digits. */
export const wrongCodeFor = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

/** Actions of users by SMS; messages are read from the local driver's file. */
export function createPhones(server: RunningServer, client: Client) {
  const sendCode = (mobile: string, scene: string, captcha_token?: string) =>
    client.post('/api/system/login/sendCode', { mobile, scene, captcha_token });

  /** The last code that reached a mobile for a scene. */
  async function readCode(mobile: string, scene: string): Promise<string> {
    const text = await readFile(join(server.dataDir, 'sms.jsonl'), 'utf8');
    const messages = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const message = messages.findLast((sent) => sent.mobile === mobile && sent.scene === scene);
    return z.parse(z.string(), message?.code);
  }

  async function askCode(mobile: string, scene: string): Promise<string> {
    await sendCode(mobile, scene);
    return readCode(mobile, scene);
  }

  const register = async (mobile: string, code?: string): Promise<Answer> =>
    client.post('/api/system/login/register', {
      terminal: 3,
      mobile,
      code: code ?? (await askCode(mobile, 'register')),
      password,
    });

  const logIn = (fields: Record<string, unknown>) => client.post(loginPath, { terminal: 3, ...fields });

  return { sendCode, readCode, askCode, register, logIn };
}
