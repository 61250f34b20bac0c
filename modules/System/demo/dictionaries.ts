import { addDictItem, deleteDictItem } from '#shared/dict/items.ts';
import { addDictType, deleteDictType } from '#shared/dict/types.ts';
import { type DemoRun, type DemoThing, daysBefore } from '#shared/module/demo.ts';

interface DemoDictionary {
  type_key: string;
  name: string;
  remark: string;
  /** Items as `value name`. Those after a `-` are disabled. */
  items: readonly string[];
}

const dictionaries: readonly DemoDictionary[] = [
  {
    type_key: 'demo_source_channel',
    name: '来源渠道',
    remark: 'Where visitors heard of us',
    items: ['search 搜索引擎', 'friend 朋友推荐', 'poster 海报', 'radio 电台', '-fax 传真'],
  },
  {
    type_key: 'demo_ticket_kind',
    name: '门票类型',
    remark: 'Kinds of tickets',
    items: ['day 日票', 'month 月票', 'year 年票', 'family 家庭票', '-night 夜票'],
  },
  {
    type_key: 'demo_city',
    name: '城市',
    remark: 'Cities with a branch',
    items: [
      'beijing 北京',
      'shanghai 上海',
      'guangzhou 广州',
      'shenzhen 深圳',
      'hangzhou 杭州',
      'chengdu 成都',
      'wuhan 武汉',
      'nanjing 南京',
      'xian 西安',
      'suzhou 苏州',
      'xiamen 厦门',
      'qingdao 青岛',
      'dalian 大连',
    ],
  },
  {
    type_key: 'demo_priority',
    name: 'Priority',
    remark: 'Of requests by visitors',
    items: ['low Low', 'normal Normal', 'high High', 'urgent Urgent'],
  },
];

/** Adds dictionaries. The roles of the demo may not do that, so their audit entry is that of the command. */
export async function addDemoDictionaries(run: DemoRun): Promise<void> {
  for (const [index, { items, ...type }] of dictionaries.entries()) {
    const { type_key } = type;
    const moment = daysBefore(run, 38 - index * 6, 11);
    await run.add('dictionaries', type_key, () =>
      run.at(moment, () => addDictType({ ...type, enabled: true, public: true })),
    );
    for (const [at, text] of items.entries()) {
      const [, mark, value = '', name = ''] = /^(-?)(\S+) (.+)$/.exec(text) ?? [];
      const status = mark === '-' ? 'disabled' : 'enabled';
      const item = { type_key, value, name, status, sort: (items.length - at) * 10 } as const;
      await run.add('dictionary_items', `${type_key}:${value}`, () =>
        run.at(moment, () => addDictItem(item)),
      );
    }
  }
}

/** How dictionaries and items of a demo are removed. */
export const removeDemoDictionaries = {
  dictionaries: ({ name }: DemoThing): Promise<void> => deleteDictType(name),
  /** Its name is `type:value`. */
  dictionary_items({ name }: DemoThing): Promise<void> {
    const end = name.indexOf(':');
    return deleteDictItem(name.slice(0, end), name.slice(end + 1), false);
  },
};
