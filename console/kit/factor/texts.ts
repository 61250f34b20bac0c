export const texts = {
  scan: {
    zh_CN: '用身份验证器应用扫描二维码，然后输入应用显示的 6 位验证码。',
    en: 'Scan the code with an authenticator app, and enter the six digits that it shows.',
  },
  picture: { zh_CN: '供身份验证器应用扫描的二维码', en: 'QR code for an authenticator app' },
  by_hand: { zh_CN: '无法扫描？在应用中输入此密钥：', en: 'Cannot scan it? Enter this key in the app:' },
  code: { zh_CN: '验证码', en: 'Code' },
  code_or_recovery: { zh_CN: '验证码或恢复码', en: 'Code of the app, or a recovery code' },
  recovery: { zh_CN: '恢复码', en: 'Recovery code' },
  use_passkey: { zh_CN: '使用通行密钥', en: 'Use a passkey' },
  instead: { zh_CN: '改用通行密钥', en: 'Use a passkey instead' },
  passkey_cancelled: {
    zh_CN: '未使用通行密钥：已取消或超时。',
    en: 'No passkey was used: it was cancelled, or took too long.',
  },
  passkey_known: {
    zh_CN: '此设备已有该账号的通行密钥。',
    en: 'This device has a passkey for the account already.',
  },
  passkey_address: {
    zh_CN: '通行密钥只能在本服务的正式地址使用。',
    en: 'Passkeys work only at the public address of this service.',
  },
  passkey_failed: { zh_CN: '此浏览器无法使用通行密钥。', en: 'This browser could not use a passkey.' },
  confirm: { zh_CN: '确认', en: 'Confirm' },
  cancel: { zh_CN: '取消', en: 'Cancel' },
  codes: { zh_CN: '恢复码', en: 'Recovery codes' },
  codes_hint: {
    zh_CN: '无法使用应用或通行密钥时，每个恢复码可登录一次。恢复码只显示这一次，请立即妥善保存。',
    en: 'Each of them logs you in once if you have lost the app or the passkey. They are shown only now: store them in a safe place.',
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
    zh_CN: '此操作须在 10 分钟内通过两步验证。您的输入会保留。',
    en: 'This needs your second factor, given at most 10 minutes ago. Your input is kept.',
  },
  again: { zh_CN: '重新登录', en: 'Back to the password' },
} as const;
