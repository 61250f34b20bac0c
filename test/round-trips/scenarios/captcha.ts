import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { createCaptchaChallenge } from '#modules/System/site/captcha.ts';
import type { RequestScenarios } from '../scenario.ts';

async function solve(): Promise<string> {
  const challenge = await createCaptchaChallenge();
  const solution = await solveChallenge({ challenge, deriveKey });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}

export const captchaScenarios: RequestScenarios = {
  'system-admin-login-captchaConfig': ({ guest }) => guest.get('/adminapi/system/login/captchaConfig'),
  'system-admin-login-checkCaptcha': async ({ guest }) =>
    guest.post('/adminapi/system/login/checkCaptcha', { payload: await solve() }),
};
