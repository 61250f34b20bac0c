import { toRoutePrefix } from '#shared/module/module.ts';

/** Source texts by path from the project's root. */
export type Sources = ReadonlyMap<string, string>;

const digits = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

/** The forms of a module's name. @param name in PascalCase, as its folder */
export function createNames(name: string) {
  const prefix = toRoutePrefix(name);
  const words = prefix.replaceAll('-', ' ');
  // A type key has no digits.
  const letters = words.replace(/\d/g, (digit) => ` ${digits[Number(digit)]} `).trim();
  return {
    name,
    /** In kebab-case: its URLs, tools, throttles and stack. */
    prefix,
    /** In snake_case: its error codes. */
    codes: prefix.replaceAll('-', '_'),
    /** For people: `User center`. */
    title: words.charAt(0).toUpperCase() + words.slice(1),
    /** Key of its dictionary. */
    kindType: `${letters.split(/ +/).join('_')}_kind`,
  };
}
type Names = ReturnType<typeof createNames>;

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
import * as z from 'zod/mini';
import { McpTool } from '#shared/tools/mcp-tool.ts';
import { listKinds } from '../../kinds/kinds.ts';

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
`,

  'Ai/Tools/ListKindsTool.ts': () => `\
import { adapt } from '#shared/tools/ai-tool.ts';
import McpListKindsTool from '../../Mcp/Tools/ListKindsTool.ts';

export default class ListKindsTool extends adapt(McpListKindsTool) {}
`,

  'Console/overview.vue': ({ prefix, title }) => `\
<script lang="ts">
import { definePage } from '#console/kit/page.ts';

// A page of the console: docs/console.md. The list of kinds has a generated page beside it.
export const page = definePage({
  path: 'overview',
  title: { zh_CN: '概览', en: 'Overview' },
  permission: '${prefix}/kind/list',
});
</script>

<script setup lang="ts">
import { ElEmpty, ElTag } from 'element-plus';
import { ref } from 'vue';
import { useConsole } from '#console/kit/context.ts';
import ErrorState from '#console/kit/error-state.vue';
import LoadingState from '#console/kit/loading-state.vue';

const { call, localise } = useConsole();
const kinds = ref<{ name: string; value: string }[]>();
const failure = ref<Error>();

async function load(): Promise<void> {
  failure.value = undefined;
  try {
    const { list } = await call<{ list: { name: string; value: string }[] }>(
      'GET',
      '/adminapi/${prefix}/kind/list',
    );
    kinds.value = list;
  } catch (error) {
    failure.value = error instanceof Error ? error : new Error(String(error));
  }
}
load();
</script>

<template>
  <section class="panel">
    <h1>${title} · {{ localise(page.title) }}</h1>
    <error-state v-if="failure" :error="failure" @retry="load" />
    <loading-state v-else-if="!kinds" />
    <el-empty v-else-if="kinds.length === 0" />
    <p v-else class="toolbar">
      <el-tag v-for="kind of kinds" :key="kind.value">{{ kind.name }}</el-tag>
    </p>
  </section>
</template>
`,

  'test.ts': ({ prefix, codes }) => `\
import { describe, expect, test } from '@jest/globals';
import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import { addDictItem } from '#shared/dict/items.ts';
import { useDatabase } from '../../test/support/database.ts';
import { kindType } from './kinds/dictionaries.ts';
import { getKind, listKinds } from './kinds/kinds.ts';
import ListKindsTool from './Mcp/Tools/ListKindsTool.ts';
import manifest from './module.ts';

useDatabase(findDynoxide() ? 'dynoxide' : 'dynamodb-local', [manifest]);

const seeded = [
  { name: '标准', value: 'standard' },
  { name: '特殊', value: 'special' },
];

describe('${prefix}', () => {
  test('offers the kinds that it brings along, by its tool too', async () => {
    const answers = [await listKinds(), await new ListKindsTool().handle()];

    expect(answers).toEqual(Array(2).fill({ list: seeded }));
  });

  test('offers the kinds that operators add', async () => {
    await addDictItem({ type_key: kindType, value: 'own', name: 'Own', sort: 30 });

    expect(await listKinds()).toEqual({ list: [{ name: 'Own', value: 'own' }, ...seeded] });
  });

  test('finds a kind by its value, and refuses an unknown one', async () => {
    expect(await getKind('special')).toMatchObject({ name: '特殊' });
    await expect(getKind('unknown')).rejects.toMatchObject({
      code: '${codes}.kind_not_found',
      status: 404,
    });
  });
});
`,
};
