import type { DictSeed } from '#shared/dict/seed.ts';

/** The dictionary whose values are the categories of articles. */
export const categoryType = 'article_category';

/** Prefix of this module's routes; references are counted under it. */
export const routePrefix = 'article';

/** First categories; operators may change them. */
export const dictionaries: DictSeed[] = [
  {
    type_key: categoryType,
    name: '文章分类',
    public: true,
    items: [
      { value: 'news', name: '新闻资讯', sort: 30 },
      { value: 'notice', name: '公告通知', sort: 20 },
      { value: 'help', name: '帮助中心', sort: 10 },
    ],
  },
];
