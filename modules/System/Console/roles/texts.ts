export const texts = {
  right: { zh_CN: '功能', en: 'Function' },
  read: { zh_CN: '查看', en: 'Read' },
  write: { zh_CN: '修改', en: 'Change' },
  covered: { zh_CN: '{covered} / {all} 项权限', en: '{covered} of {all} rights' },
  search: { zh_CN: '查找功能', en: 'Find a function' },
  no_match: { zh_CN: '没有这样的功能', en: 'No function has this name' },
  presets: { zh_CN: '一次设置', en: 'Set many' },
  reading: { zh_CN: '全部只读', en: 'Read everything, change nothing' },
  module: { zh_CN: '“{name}”的全部功能', en: 'Everything in “{name}”' },
  nothing: { zh_CN: '全部取消', en: 'Nothing' },
  sensitive: {
    zh_CN: '敏感：只有它自己或所在文件夹的授权才包含它',
    en: 'Sensitive: only a grant of itself or of its own folder covers it',
  },
  inherited: { zh_CN: '由上级或“修改”授权包含', en: 'Covered by a folder above, or by the right to change' },
  not_held: { zh_CN: '您自己没有这项权限', en: 'You do not hold this right yourself' },
  unknown: {
    zh_CN: '这些授权所指的功能目前不存在（模块已停用），保存时会保留：',
    en: 'These grants name functions that do not exist now (their module is disabled). Saving keeps them:',
  },
  matrix_hint: {
    zh_CN: '授权一个文件夹后，其中以后新增的功能也会包含在内；敏感功能除外。',
    en: 'A granted folder also covers functions that are added to it later, except sensitive ones.',
  },
} as const;
