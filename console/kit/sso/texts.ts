/** Texts of single sign-on and of invitations. */
export const texts = {
  button: { zh_CN: '单点登录', en: 'Log in with single sign-on' },
  or: { zh_CN: '或', en: 'or' },
  title: { zh_CN: '单点登录', en: 'Single sign-on' },
  wait: { zh_CN: '正在登录…', en: 'You are being logged in …' },
  unknown: {
    zh_CN: '此页面不是由本标签页发起的登录，请从登录页重新开始。',
    en: 'This login was not begun in this tab: begin again on the login page.',
  },
  again: { zh_CN: '请重新登录。', en: 'Log in once more.' },
  to_login: { zh_CN: '返回登录页', en: 'To the login page' },
  to_account: { zh_CN: '返回我的账号', en: 'Back to my account' },
  bound: { zh_CN: '已关联', en: 'Your account is bound' },
  invitation: { zh_CN: '接受邀请', en: 'Accept the invitation' },
  broken: {
    zh_CN: '链接不完整，请完整复制邀请链接。',
    en: 'The link is not complete. Copy all of the link that you have got.',
  },
  hint: {
    zh_CN: '您被邀请管理本站。请为您的账号设置密码。',
    en: 'You are invited to administer this site. Choose a password for your account.',
  },
  account: { zh_CN: '账号', en: 'Account' },
  password: { zh_CN: '密码（至少 8 个字符）', en: 'Password (at least 8 characters)' },
  repeat: { zh_CN: '再次输入密码', en: 'Password once more' },
  differs: { zh_CN: '两次输入的密码不同', en: 'The two passwords are not the same' },
  accept: { zh_CN: '设置密码并登录', en: 'Set the password and log in' },
  by_sso: { zh_CN: '改用单点登录', en: 'Use single sign-on instead' },
} as const;
