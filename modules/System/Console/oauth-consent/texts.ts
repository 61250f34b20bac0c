export const texts = {
  heading: { zh_CN: '连接“{name}”？', en: 'Connect “{name}”?' },
  intro: {
    zh_CN: '它请求代您使用本服务的工具。',
    en: 'It asks to use the tools of this service for you.',
  },
  publisher: { zh_CN: '发布者', en: 'Published by' },
  registered: { zh_CN: '由本服务的管理员登记', en: 'Registered here by an administrator' },
  returns_to: { zh_CN: '返回到', en: 'Goes back to' },
  this_computer: { zh_CN: '这台电脑上的应用（{host}）', en: 'An app on this computer ({host})' },
  loopback: {
    zh_CN: '访问权限将交给这台电脑上的一个应用。只有您刚刚在该应用中点击了登录，才应继续。',
    en: 'Access goes to an app on this computer. Go on only if you have just started the login in that app yourself.',
  },
  acts_as: { zh_CN: '使用的账号', en: 'Acts as' },
  other_account: { zh_CN: '换一个账号', en: 'Use another account' },
  rights: {
    zh_CN: '您不能做的，它也不能做。它的修改都记录在审计日志中。',
    en: 'What you may not do, it may not do either. What it changes is in the audit log.',
  },
  scopes: { zh_CN: '允许它', en: 'It may' },
  read: { zh_CN: '读取：使用不修改数据的工具', en: 'Read: use tools that change nothing' },
  write: {
    zh_CN: '修改：使用新增、修改和删除数据的工具',
    en: 'Change: use tools that change or delete data',
  },
  folders: {
    zh_CN: '只限这些目录（留空为您的全部权限）',
    en: 'Only these folders (all your rights if empty)',
  },
  all_folders: { zh_CN: '全部权限', en: 'All your rights' },
  password: {
    zh_CN: '您的密码（登录已超过 10 分钟）',
    en: 'Your password (your login is older than 10 minutes)',
  },
  connect: { zh_CN: '连接', en: 'Connect' },
  cancel: { zh_CN: '取消', en: 'Cancel' },
  leaving: { zh_CN: '正在返回 {host}', en: 'Going back to {host}' },
  stays: {
    zh_CN: '如果没有自动跳转，请回到打开本页的应用；本页可以关闭。',
    en: 'If nothing opens, go back to the app that opened this page. You can close this page.',
  },
  refused: { zh_CN: '无法连接', en: 'This cannot be connected' },
  refused_hint: {
    zh_CN: '没有授予任何权限。请在应用中重新开始连接；如果仍然失败，请把请求编号告诉管理员。',
    en: 'Nothing was granted. Start again in the app. If it fails again, give an administrator the request ID.',
  },
  bad_redirect: {
    zh_CN: '返回地址不是可以打开的地址。',
    en: 'The address to go back to cannot be opened.',
  },
} as const;
