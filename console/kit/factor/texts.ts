export const texts = {
  scan: {
    zh_CN: '用身份验证器应用扫描二维码，然后输入应用显示的 6 位验证码。',
    en: 'Scan the code with an authenticator app, and enter the six digits that it shows.',
  },
  picture: { zh_CN: '供身份验证器应用扫描的二维码', en: 'QR code for an authenticator app' },
  by_hand: { zh_CN: '无法扫描？在应用中输入此密钥：', en: 'Cannot scan it? Enter this key in the app:' },
  code: { zh_CN: '验证码', en: 'Code' },
  code_or_recovery: { zh_CN: '验证码或恢复码', en: 'Code of the app, or a recovery code' },
  confirm: { zh_CN: '确认', en: 'Confirm' },
  cancel: { zh_CN: '取消', en: 'Cancel' },
  codes: { zh_CN: '恢复码', en: 'Recovery codes' },
  codes_hint: {
    zh_CN: '无法使用应用时，每个恢复码可代替验证码登录一次。恢复码只显示这一次，请立即妥善保存。',
    en: 'Each of them logs you in once if you have lost the app. They are shown only now: store them in a safe place.',
  },
  copy: { zh_CN: '复制', en: 'Copy' },
  save: { zh_CN: '下载', en: 'Download' },
  stored: { zh_CN: '我已保存', en: 'I have stored them' },
  title: { zh_CN: '两步验证', en: 'Second factor' },
  needed: {
    zh_CN: '系统设置要求启用两步验证。启用后即可登录。',
    en: 'The settings of this service require a second factor. Set it up to log in.',
  },
  give: { zh_CN: '再次验证', en: 'Confirm that it is you' },
  give_hint: {
    zh_CN: '此操作须在 10 分钟内输入过两步验证的验证码。您的输入会保留。',
    en: 'This needs a code of your second factor, at most 10 minutes old. Your input is kept.',
  },
  again: { zh_CN: '重新登录', en: 'Back to the password' },
} as const;
