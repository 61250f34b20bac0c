export const texts = {
  publish: {
    text: { zh_CN: '发布“{title}”？读者会立即看到它。', en: 'Publish “{title}”? Readers see it at once.' },
    action: { zh_CN: '发布', en: 'Publish' },
  },
  withdraw: {
    text: {
      zh_CN: '撤下“{title}”？读者将无法再看到它。',
      en: 'Withdraw “{title}”? Readers no longer see it.',
    },
    action: { zh_CN: '撤下', en: 'Withdraw' },
  },
  is_public: { zh_CN: '“{title}”已发布', en: '“{title}” is public' },
  preview: { zh_CN: '预览', en: 'Preview' },
  no_title: { zh_CN: '还没有标题', en: 'No title yet' },
  no_content: { zh_CN: '还没有内容', en: 'No content yet' },
  version: { zh_CN: '第 {version} 版', en: 'Version {version}' },
} as const;
