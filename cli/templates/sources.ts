import type { Names } from './names.ts';

export const renderManifest = ({ name, title }: Names): string => `\
import { defineModule } from '#shared/module/module.ts';
import { dictionaries } from './data/dictionaries.ts';

export default defineModule({
  name: '${name}',
  title: { zh_CN: '${title}', en: '${title}' },
  version: '0.1.0',
  requires: ['System'],
  dictionaries,
});
`;

export const renderDictionaries = ({ kindType }: Names): string => `\
import type { DictSeed } from '#shared/dict/seed.ts';

/** The dictionary whose values are the kinds of this module. */
export const kindType = '${kindType}';

/** Kinds to begin with; operators change them as they like. */
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
`;

export const renderReader = (): string => `\
import * as z from 'zod/mini';
import { dictOption } from '#shared/dict/read-schema.ts';
import { dict } from '#shared/dict/reader.ts';
import { kindType } from './dictionaries.ts';

export const kindList = z.strictObject({ list: z.array(dictOption) });

/** The kinds that operators offer, in their order. */
export async function listKinds(): Promise<z.infer<typeof kindList>> {
  const options = await dict.get(kindType);
  return { list: options[kindType] ?? [] };
}
`;

export const renderAdminRoute = (): string => `\
import { admin } from '#shared/http/route.ts';
import { kindList, listKinds } from '../../data/list-kinds.ts';

export default admin.get({
  summary: { zh_CN: '类型列表', en: 'List kinds' },
  data: kindList,
  handler: () => listKinds(),
});
`;

export const renderUserRoute = (): string => `\
import { api } from '#shared/http/route.ts';
import { kindList, listKinds } from '../../data/list-kinds.ts';

export default api.openGet({
  summary: { zh_CN: '公开的类型列表', en: 'List kinds in public' },
  data: kindList,
  middleware: ['throttle:public'],
  handler: () => listKinds(),
});
`;

export const renderTool = ({ prefix }: Names): string => `\
import * as z from 'zod/mini';
import { McpTool } from '#shared/tools/mcp-tool.ts';
import { listKinds } from '../../data/list-kinds.ts';

const input = z.strictObject({});

export default class ListKindsTool extends McpTool<typeof input> {
  override readonly name = '${prefix}.list_kinds';
  override readonly description = 'Lists the kinds that operators offer, in their order.';
  override readonly inputSchema = input;
  override readonly access = 'read';

  override async handle() {
    return listKinds();
  }
}
`;

export const renderAdapter = (): string => `\
import { adapt } from '#shared/tools/ai-tool.ts';
import McpListKindsTool from '../../Mcp/Tools/ListKindsTool.ts';

export default class ListKindsTool extends adapt(McpListKindsTool) {}
`;
