export const texts = {
  types: { zh_CN: '字典类型', en: 'Dictionary types' },
  search_types: { zh_CN: '搜索类型', en: 'Search types' },
  search_items: { zh_CN: '搜索值或名称', en: 'Search values and names' },
  add_type: { zh_CN: '新增类型', en: 'Add a type' },
  edit_type: { zh_CN: '编辑类型', en: 'Edit the type' },
  delete_type: { zh_CN: '删除类型', en: 'Delete the type' },
  confirm_type: { zh_CN: '删除字典类型 {name}？', en: 'Delete the dictionary type {name}?' },
  add_item: { zh_CN: '新增字典项', en: 'Add an item' },
  import: { zh_CN: '导入', en: 'Import' },
  choose: { zh_CN: '请选择左侧的字典类型。', en: 'Choose a dictionary type.' },
  no_types: { zh_CN: '没有字典类型', en: 'No dictionary type' },
  no_items: { zh_CN: '没有字典项', en: 'No item' },
  back: { zh_CN: '返回类型列表', en: 'Back to the types' },
  public: { zh_CN: '公开', en: 'Public' },
  disabled: { zh_CN: '已停用', en: 'Disabled' },
  items: { zh_CN: '{n} 项', en: '{n} items' },
  value: { zh_CN: '值', en: 'Value' },
  name: { zh_CN: '名称', en: 'Name' },
  sort: { zh_CN: '排序', en: 'Sort' },
  status: { zh_CN: '启用', en: 'Enabled' },
  remark: { zh_CN: '备注', en: 'Remark' },
  actions: { zh_CN: '操作', en: 'Actions' },
  edit: { zh_CN: '编辑', en: 'Edit' },
  delete: { zh_CN: '删除', en: 'Delete' },
  confirm_item: { zh_CN: '删除字典项 {name}？', en: 'Delete the item {name}?' },
  in_use: {
    zh_CN: '{message}。仍要删除吗？使用它的记录将只显示值。',
    en: '{message}. Delete it anyway? Records that use it will show the value only.',
  },
  delete_anyway: { zh_CN: '仍然删除', en: 'Delete anyway' },
  move: {
    zh_CN: '移动 {name}：拖动，或用上下方向键',
    en: 'Move {name}: drag it, or press arrow up or down',
  },
  moved: { zh_CN: '{name} 已移到第 {n} 位', en: '{name} is now number {n}' },
  sort_hint: { zh_CN: '清除搜索后可以调整顺序。', en: 'Clear the search to change the order.' },
  edit_cell: { zh_CN: '编辑 {name} 的{field}', en: 'Edit {field} of {name}' },
} as const;

/** A text with its `{placeholders}` filled. */
export const fill = (text: string, values: Record<string, string | number>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
