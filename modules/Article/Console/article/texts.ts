export const statusTexts = {
  enable: {
    text: { zh_CN: '发布“{name}”？读者会立即看到它。', en: 'Publish “{name}”? Readers see it at once.' },
    action: { zh_CN: '发布', en: 'Publish' },
  },
  disable: {
    text: {
      zh_CN: '撤下“{name}”？读者将无法再看到它。',
      en: 'Withdraw “{name}”? Readers no longer see it.',
    },
    action: { zh_CN: '撤下', en: 'Withdraw' },
  },
  label: { zh_CN: '“{name}”已发布', en: '“{name}” is published' },
} as const;

export const texts = {
  preview: { zh_CN: '预览', en: 'Preview' },
  is_public: { zh_CN: '已发布', en: 'Published' },
  is_draft: { zh_CN: '草稿', en: 'Draft' },
  save_draft: { zh_CN: '保存草稿', en: 'Save draft' },
  publish: { zh_CN: '保存并发布', en: 'Save and publish' },
  no_title: { zh_CN: '还没有标题', en: 'No title yet' },
  no_content: { zh_CN: '还没有内容', en: 'No content yet' },
  version: { zh_CN: '第 {version} 版', en: 'Version {version}' },
} as const;
