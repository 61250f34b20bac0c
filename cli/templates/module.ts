import { renderPage } from './module-page.ts';
import { renderTest } from './module-test.ts';
import type { Names } from './names.ts';

/** Source texts by path from the project's root. */
export type Sources = ReadonlyMap<string, string>;

/** The files of a new module. @param folder of the module, from the project's root */
export function renderModule(names: Names, folder: string): Sources {
  return new Map(
    Object.entries(files).map(([file, render]) => [
      `${folder}/${file === 'test.ts' ? `${names.prefix}.test.ts` : file}`,
      render(names),
    ]),
  );
}

const renderMessages = (messages: Record<string, string>): string => `${JSON.stringify(messages, null, 2)}\n`;

/** The text of each file. */
const files: Record<string, (names: Names) => string> = {
  'module.ts': ({ name, prefix, title }) => `\
import { defineModule } from '#shared/module/module.ts';
import { dictionaries } from './kinds/dictionaries.ts';

export default defineModule({
  name: '${name}',
  title: { zh_CN: '${title}', en: '${title}' },
  version: '0.1.0',
  requires: ['System'],
  // Titles of the folders in Admin/, for menus and roles.
  adminFolders: { kind: { zh_CN: '类型', en: 'Kinds' } },
  // Its part in the roles that the first installation creates.
  roles: { auditor: ['${prefix}:read'] },
  dictionaries,
});
`,

  'errors.ts': ({ codes }) => `\
import { defineErrors } from '#shared/errors/app-error.ts';

export default defineErrors({
  '${codes}.kind_not_found': 404, // no kind has this value
});
`,

  'throttles.ts': ({ prefix }) => `\
import { defineThrottles } from '#shared/throttle/throttles.ts';

export default defineThrottles({
  '${prefix}-kind': {
    rules: [{ by: ['address'], limit: 60, windowSeconds: 60 }],
    fallback: 'process',
  },
});
`,

  'lang/zh_CN.json': ({ codes }) => renderMessages({ [`${codes}.kind_not_found`]: '没有这个类型' }),
  'lang/en.json': ({ codes }) => renderMessages({ [`${codes}.kind_not_found`]: 'There is no such kind' }),

  'kinds/dictionaries.ts': ({ kindType }) => `\
import type { DictSeed } from '#shared/dict/seed.ts';

/** The dictionary whose values are the kinds of this module. */
export const kindType = '${kindType}';

/** Initial kinds; operators can change them. */
export const dictionaries: DictSeed[] = [
  {
    type_key: kindType,
    name: '类型',
    public: true,
    items: [
      { value: 'standard', name: '标准', sort: 20 },
      { value: 'special', name: '特殊', sort: 10 },
    ],
  },
];
`,

  'kinds/kinds.ts': ({ codes }) => `\
import * as z from 'zod/mini';
import { dictOption } from '#shared/dict/read-schema.ts';
import { dict } from '#shared/dict/reader.ts';
import errors from '../errors.ts';
import { kindType } from './dictionaries.ts';

export const kindList = z.strictObject({ list: z.array(dictOption) });

/** The kinds of the dictionary, in their order. */
export async function listKinds(): Promise<z.infer<typeof kindList>> {
  const options = await dict.get(kindType);
  return { list: options[kindType] ?? [] };
}

/** A kind by its value. @throws AppError \`${codes}.kind_not_found\` */
export async function getKind(value: string): Promise<z.infer<typeof dictOption>> {
  const { list } = await listKinds();
  const found = list.find((kind) => kind.value === value);
  if (!found) throw errors.create('${codes}.kind_not_found');
  return found;
}
`,

  'Admin/kind/list.ts': () => `\
import { admin } from '#shared/http/route.ts';
import { kindList, listKinds } from '../../kinds/kinds.ts';

export default admin.get({
  summary: { zh_CN: '类型列表', en: 'List kinds' },
  data: kindList,
  handler: () => listKinds(),
});
`,

  'Api/kind/list.ts': () => `\
import { api } from '#shared/http/route.ts';
import { kindList, listKinds } from '../../kinds/kinds.ts';

export default api.openGet({
  summary: { zh_CN: '公开的类型列表', en: 'List kinds in public' },
  data: kindList,
  middleware: ['throttle:public'],
  handler: () => listKinds(),
});
`,

  'Api/kind/detail.ts': ({ prefix, codes }) => `\
import * as z from 'zod/mini';
import { dictOption } from '#shared/dict/read-schema.ts';
import { itemValue } from '#shared/dict/schema.ts';
import { api } from '#shared/http/route.ts';
import { getKind } from '../../kinds/kinds.ts';

export default api.openGet({
  summary: { zh_CN: '类型详情', en: 'Get a kind' },
  query: z.object({ value: itemValue }),
  data: dictOption,
  middleware: ['throttle:${prefix}-kind'],
  errors: ['${codes}.kind_not_found'],
  handler: ({ query }) => getKind(query.value),
});
`,

  'Mcp/Tools/ListKindsTool.ts': ({ prefix }) => `\
import { fromRoute } from '#shared/tools/from-route.ts';
import listRoute from '../../Admin/kind/list.ts';

export default class ListKindsTool extends fromRoute(listRoute, {
  name: '${prefix}.list_kinds',
}) {}
`,

  'Ai/Tools/ListKindsTool.ts': () => `\
import { adapt } from '#shared/tools/ai-tool.ts';
import McpListKindsTool from '../../Mcp/Tools/ListKindsTool.ts';

export default class ListKindsTool extends adapt(McpListKindsTool) {}
`,

  'Console/overview.vue': renderPage,
  'test.ts': renderTest,
};
