export const factorTexts = {
  hint: {
    zh_CN: '启用后，登录时除密码外还需输入身份验证器应用的验证码。',
    en: 'With a second factor, a login needs a code of an authenticator app besides the password.',
  },
  off: {
    zh_CN: '系统设置目前不允许启用两步验证。',
    en: 'At present the settings allow no new second factor.',
  },
  none: { zh_CN: '尚未启用。', en: 'You have no second factor.' },
  since: { zh_CN: '启用时间', en: 'Set up' },
  codes_left: { zh_CN: '剩余恢复码', en: 'Recovery codes left' },
  set_up: { zh_CN: '启用两步验证', en: 'Set up a second factor' },
  replace: { zh_CN: '更换应用或手机', en: 'Use another app or phone' },
  renew: { zh_CN: '更换恢复码', en: 'New recovery codes' },
  remove: { zh_CN: '停用两步验证', en: 'Remove the second factor' },
  removed: { zh_CN: '已停用两步验证', en: 'The second factor is removed' },
  password: { zh_CN: '当前密码', en: 'Current password' },
  cancel: { zh_CN: '取消', en: 'Cancel' },
} as const;
