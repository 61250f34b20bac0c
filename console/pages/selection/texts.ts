export const texts = {
  export: { zh_CN: '导出所选', en: 'Export selection' },
  confirm: { zh_CN: '{action}：{n} 条记录？', en: '{action}: {n} records?' },
  confirm_lost: {
    zh_CN: '{action}：{n} 条记录？此操作无法撤销。',
    en: '{action}: {n} records? This cannot be undone.',
  },
  progress: { zh_CN: '已处理 {done} / {n} 条', en: '{done} of {n} records' },
  stop: { zh_CN: '停止', en: 'Stop' },
  done: { zh_CN: '已处理 {n} 条记录', en: 'Done for {n} records' },
  remaining: {
    zh_CN: '已处理 {done} 条，其余 {n} 条仍保持选中。',
    en: 'Done for {done} records. The other {n} stay selected.',
  },
  not_reached: { zh_CN: '尚未处理', en: 'Its turn has not come' },
  not_offered: { zh_CN: '该记录不支持此操作', en: 'This record does not offer it' },
  more: { zh_CN: '另有 {n} 条', en: 'and {n} more' },
} as const;
