export const ssoTexts = {
  hint: {
    zh_CN: '关联后，您可以用单位的账号登录，密码仍然有效。',
    en: 'When it is bound, you can log in with the account of your organisation. Your password stays valid.',
  },
  none: { zh_CN: '尚未关联。', en: 'No account is bound.' },
  off: { zh_CN: '系统设置中尚未设置单点登录。', en: 'Single sign-on is not set up in the settings.' },
  only: {
    zh_CN: '您没有密码，只能通过单点登录，因此不能解除关联。',
    en: 'You have no password, and log in only by single sign-on: so the binding stays.',
  },
  issuer: { zh_CN: '身份提供方', en: 'Provider' },
  since: { zh_CN: '关联时间', en: 'Bound since' },
  bind: { zh_CN: '关联账号', en: 'Bind your account' },
  remove: { zh_CN: '解除关联', en: 'Remove the binding' },
  password: { zh_CN: '当前密码', en: 'Current password' },
} as const;
