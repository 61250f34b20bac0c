import { admin } from '#shared/http/route.ts';
import { createOwnChallenge } from '../../../factors/own-factor.ts';
import { challengeData } from '../../../factors/schema.ts';

export default admin.get({
  summary: { zh_CN: '获取自己两步验证的质询', en: 'Get a challenge for your second factor' },
  right: 'login',
  data: challengeData,
  errors: ['admin.not_found', 'factor.not_set'],
  reference: {
    description: {
      zh_CN: '`methods` 列出可用的验证方式。使用通行密钥时需要质询，验证码不需要。',
      en: '`methods` says what can be given. A passkey needs the challenge, a code does not.',
    },
  },
  handler: ({ adminId }) => createOwnChallenge(adminId),
});
