import type { DictSeed } from '#shared/dict/seed.ts';

/** Dictionaries of a new installation. Operators may change them. */
export const dictionaries: DictSeed[] = [
  {
    type_key: 'user_kind',
    name: '用户类型',
    public: false,
    items: [
      { value: 'normal', name: '普通用户', sort: 30 },
      { value: 'vip', name: '会员用户', sort: 20 },
      { value: 'staff', name: '内部员工', sort: 10 },
    ],
  },
  {
    type_key: 'source_channel',
    name: '来源渠道',
    public: true,
    items: [
      { value: 'search', name: '搜索引擎', sort: 50 },
      { value: 'referral', name: '朋友推荐', sort: 40 },
      { value: 'social', name: '社交媒体', sort: 30 },
      { value: 'ads', name: '广告投放', sort: 20 },
      { value: 'other', name: '其他', sort: 0 },
    ],
  },
  {
    type_key: 'bank_kind',
    name: '银行类型',
    public: true,
    items: [
      { value: 'icbc', name: '工商银行', sort: 60 },
      { value: 'abc', name: '农业银行', sort: 50 },
      { value: 'boc', name: '中国银行', sort: 40 },
      { value: 'ccb', name: '建设银行', sort: 30 },
      { value: 'bocom', name: '交通银行', sort: 20 },
      { value: 'cmb', name: '招商银行', sort: 10 },
    ],
  },
];
