import { defineThrottles, type ThrottleRule } from '#shared/throttle/throttles.ts';

const minute = 60;
const hour = 3600;
const day = 86_400;

// Labels of the API reference.
const account = { body: 'account', title: { zh_CN: '账号', en: 'account' } };
const mobile = { body: 'mobile', title: { zh_CN: '手机号', en: 'mobile' } };
const connection = { credential: 'body', title: { zh_CN: '连接', en: 'connection' } } as const;
const challenge = {
  credential: 'body',
  title: { zh_CN: '登录质询的管理员', en: 'administrator of the challenge' },
} as const;
const ticket = { credential: 'query', title: { zh_CN: '上传凭证', en: 'upload ticket' } } as const;

const captchaRequired = 'auth.captcha_required';

/** Limits a minute: of a logged-in caller, and of an address without a login. */
const perCaller = (limit: number, guestLimit: number): ThrottleRule[] => [
  { by: ['principal'], limit, windowSeconds: minute },
  { by: ['guest_address'], limit: guestLimit, windowSeconds: minute },
];

export default defineThrottles({
  'admin-login': {
    rules: [
      { by: [account, 'address'], limit: 5, windowSeconds: minute, exempt: captchaRequired },
      { by: ['address'], limit: 20, windowSeconds: minute },
      { by: [account], limit: 10, windowSeconds: hour, failures: ['auth.credentials_invalid'] },
    ],
    fallback: 'table',
  },
  // Only who knows the password gets a challenge, and a spent one counts nothing by administrator: it keeps no owner out.
  'admin-second': {
    rules: [
      { by: ['address'], limit: 20, windowSeconds: minute },
      { by: [challenge], limit: 30, windowSeconds: hour, exempt: 'auth.challenge_invalid' },
      { by: [challenge], limit: 60, windowSeconds: day, exempt: 'auth.challenge_invalid' },
    ],
    fallback: 'table',
  },
  sso: { rules: [{ by: ['address'], limit: 20, windowSeconds: minute }], fallback: 'table' },
  invitation: { rules: [{ by: ['address'], limit: 10, windowSeconds: minute }], fallback: 'table' },
  factor: {
    rules: [...perCaller(5, 5), { by: ['principal'], limit: 30, windowSeconds: hour }],
    fallback: 'process',
  },
  'user-login': {
    rules: [
      { by: ['address'], limit: 10, windowSeconds: minute },
      { by: [mobile, 'address'], limit: 5, windowSeconds: minute, exempt: captchaRequired },
      {
        by: [mobile],
        limit: 30,
        windowSeconds: hour,
        failures: ['auth.credentials_invalid', 'auth.code_invalid'],
      },
    ],
    fallback: 'table',
  },
  captcha: { rules: [{ by: ['address'], limit: 30, windowSeconds: minute }], fallback: 'process' },
  sms: {
    rules: [
      { by: [mobile], limit: 1, windowSeconds: minute, exempt: captchaRequired },
      { by: [mobile], limit: 10, windowSeconds: day, exempt: captchaRequired },
      { by: ['address'], limit: 30, windowSeconds: day },
    ],
    fallback: 'table',
  },
  upload: { rules: perCaller(60, 10), fallback: 'process' },
  'upload-part': {
    rules: [
      { by: [ticket], limit: 600, windowSeconds: minute },
      { by: ['guest_address'], limit: 600, windowSeconds: minute },
    ],
    fallback: 'process',
  },
  ai: { rules: perCaller(20, 20), fallback: 'process' },
  'connection-test': { rules: perCaller(10, 10), fallback: 'process' },
  password: { rules: perCaller(5, 5), fallback: 'process' },
  // The largest answer of the service.
  openapi: { rules: [{ by: ['address'], limit: 60, windowSeconds: minute }], fallback: 'process' },
  oauth: { rules: [{ by: ['address'], limit: 30, windowSeconds: minute }], fallback: 'process' },
  'oauth-metadata': { rules: [{ by: ['address'], limit: 300, windowSeconds: minute }], fallback: 'process' },
  // Hosted assistants send the tokens of all their users from a few addresses.
  'oauth-token': {
    rules: [
      { by: [connection], limit: 60, windowSeconds: minute },
      { by: ['guest_address'], limit: 30, windowSeconds: minute },
    ],
    fallback: 'process',
  },
  'oauth-consent': { rules: perCaller(30, 30), fallback: 'process' },
  mcp: { rules: [{ by: ['refused_address'], limit: 30, windowSeconds: minute }], fallback: 'process' },
});
