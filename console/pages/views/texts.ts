export const texts = {
  views: { zh_CN: '视图', en: 'Views' },
  current: { zh_CN: '视图：{name}', en: 'View: {name}' },
  none: { zh_CN: '还没有视图', en: 'No views yet' },
  loading: { zh_CN: '正在读取…', en: 'Reading…' },
  all: { zh_CN: '全部记录', en: 'All records' },
  save: { zh_CN: '另存为视图…', en: 'Save as a view…' },
  update: { zh_CN: '更新“{name}”', en: 'Update “{name}”' },
  remove: { zh_CN: '删除“{name}”', en: 'Delete “{name}”' },
  confirm_update: {
    zh_CN: '用现在的筛选和列更新“{name}”？所有能打开此页面的人都会看到更改。',
    en: 'Update “{name}” with the filters and columns of now? All who may open this page see the change.',
  },
  confirm_remove: {
    zh_CN: '删除“{name}”？所有能打开此页面的人都将失去它。',
    en: 'Delete “{name}”? All who may open this page lose it.',
  },
  title: { zh_CN: '另存为视图', en: 'Save as a view' },
  hint: {
    zh_CN: '视图保存现在的筛选、每页条数和列，供所有能打开此页面的人使用。',
    en: 'A view keeps the filters, the rows a page and the columns of now, for all who may open this page.',
  },
  name: { zh_CN: '名称', en: 'Name' },
  save_now: { zh_CN: '保存', en: 'Save' },
  cancel: { zh_CN: '取消', en: 'Cancel' },
  saved: { zh_CN: '已保存“{name}”', en: 'Saved “{name}”' },
  removed: { zh_CN: '已删除“{name}”', en: 'Deleted “{name}”' },
  gone: { zh_CN: '这个视图已不存在', en: 'This view does not exist any more' },
} as const;
