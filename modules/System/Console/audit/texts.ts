export const texts = {
  all_of: { zh_CN: '{name}：全部操作', en: '{name}: all actions' },
  login: { zh_CN: '管理员登录', en: 'Login of an administrator' },
  kind: { zh_CN: '对象的类型', en: 'Kind of record' },
  record: { zh_CN: '对象', en: 'Record' },
  sent: { zh_CN: '提交的内容', en: 'What was sent' },
  characters: { zh_CN: '{count} 个字符的文字', en: 'A text of {count} characters' },
  items: { zh_CN: '{count} 项', en: '{count} items' },
  more: { zh_CN: '技术信息', en: 'Technical facts' },
  nothing_sent: { zh_CN: '没有提交内容', en: 'Nothing was sent' },
} as const;
