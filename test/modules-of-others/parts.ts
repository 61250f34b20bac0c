import type { Names } from '#cli/templates/names.ts';

// What a developer adds to the files of `module:make`. Each part holds sources by path below the module's folder.

export type Part = (names: Names, requires: readonly string[]) => Record<string, string>;

/** Records with fields that other modules have too, a reference, a dictionary and a history. */
const records: Part = ({ prefix, codes, kindType }) => ({
  'cases/cases.ts': `
    import { ulid } from 'ulid';
    import * as z from 'zod/mini';
    import { readByCursor } from '#shared/db/paging/cursor.ts';
    import { assertVersion, defineEntity, editRow, getRow, partitionOf, putRow, queryRows } from '#shared/db/entity.ts';
    import { singleKey, transact } from '#shared/db/items.ts';
    import { removeItem } from '#shared/db/writes.ts';
    import { itemValue } from '#shared/dict/schema.ts';
    import { createdAt, status, updatedAt, version } from '#shared/schema/fields.ts';
    import { recordId, text } from '#shared/schema/text.ts';
    import { titled } from '#shared/schema/titled.ts';
    import errors from '../errors.ts';

    const kind = titled({ zh_CN: '类型', en: 'Kind', dictionary: '${kindType}' }, itemValue);
    export const id = titled({ zh_CN: '编号', en: 'ID', type: 'id' }, recordId);
    const assignee = titled({ zh_CN: '负责人', en: 'Assignee', type: 'id', refersTo: 'system/admin' }, recordId);
    export const input = {
      subject: titled({ zh_CN: '主题', en: 'Subject' }, text(1, 100)),
      content: titled({ zh_CN: '内容', en: 'Content', type: 'multiline' }, text(0, 2000)),
      kind,
      status,
      assignee,
      channel: titled(
        {
          zh_CN: '渠道',
          en: 'Channel',
          options: {
            '': { zh_CN: '未知', en: 'Unknown' },
            mail: { zh_CN: '邮件', en: 'Mail' },
            phone: { zh_CN: '电话', en: 'Phone' },
          },
        },
        z._default(z.enum(['', 'mail', 'phone']), ''),
      ),
      urgency: titled(
        {
          zh_CN: '紧急程度',
          en: 'Urgency',
          options: { 1: { zh_CN: '普通', en: 'Normal' }, 2: { zh_CN: '紧急', en: 'Urgent' } },
        },
        z._default(z.literal([1, 2, null]), null),
      ),
    };
    export const caseData = z.strictObject({ id, ...input, version, created_at: createdAt, updated_at: updatedAt });
    type Case = z.infer<typeof caseData>;

    export const cases = defineEntity({
      row: z.object(caseData.shape),
      key: ({ id }: { id: string }) => singleKey(\`${codes.toUpperCase()}_CASE#\${id}\`),
      indexes: {
        all: { name: 'gsi1', pk: (_row: object) => '${codes.toUpperCase()}_CASES', sk: ({ id }) => id },
        byAssignee: {
          name: 'gsi2',
          pk: ({ assignee }: Pick<Case, 'assignee'>) => \`${codes.toUpperCase()}_CASES#\${assignee}\`,
          sk: ({ id }) => id,
        },
      },
      target: '${codes}_case',
      missing: () => errors.create('${codes}.case_not_found'),
    });

    export const listCases = async ({ limit, cursor }: { limit: number; cursor?: string | undefined }) => {
      const { list, next_cursor } = await readByCursor(cursor, '${prefix} cases', (start) =>
        queryRows(cases, { ...partitionOf(cases.indexes.all, {}), limit, start }),
      );
      return { list, next_cursor };
    };

    export async function addCase(given: Pick<Case, keyof typeof input>): Promise<Case> {
      const now = new Date().toISOString();
      const row = { id: ulid(), ...given, version: 1, created_at: now, updated_at: now };
      await transact([putRow(cases, row)]);
      return row;
    }

    /** @throws AppError \`${codes}.case_not_found\`, \`version_conflict\` */
    export async function editCase(of: string, expected: number, changes: Pick<Case, keyof typeof input>): Promise<Case> {
      const old = await getRow(cases, { id: of });
      assertVersion(old, expected);
      const { write, row } = editRow(cases, old, changes);
      await transact([write]);
      return row;
    }

    /** @throws AppError \`${codes}.case_not_found\` */
    export async function deleteCase(of: string): Promise<null> {
      const old = await getRow(cases, { id: of });
      await transact([removeItem(cases.key(old))]);
      return null;
    }
  `,
  'Admin/case/list.ts': `
    import * as z from 'zod/mini';
    import { admin } from '#shared/http/route.ts';
    import { cursorListOf, cursorQuery } from '#shared/schema/list.ts';
    import { caseData, listCases } from '../../cases/cases.ts';

    export default admin.get({
      summary: { zh_CN: '工单列表', en: 'List cases' },
      query: z.object(cursorQuery),
      data: cursorListOf(caseData),
      handler: ({ query }) => listCases(query),
    });
  `,
  'Admin/case/detail.ts': `
    import * as z from 'zod/mini';
    import { getRow } from '#shared/db/entity.ts';
    import { admin } from '#shared/http/route.ts';
    import { caseData, cases, id } from '../../cases/cases.ts';

    export default admin.get({
      summary: { zh_CN: '工单详情', en: 'Get a case' },
      query: z.object({ id }),
      data: caseData,
      errors: ['${codes}.case_not_found'],
      audit: 'read',
      // new AppError('dict.type_not_found') is not thrown here.
      handler: ({ query }) => getRow(cases, query),
    });
  `,
  'Admin/case/add.ts': `
    import * as z from 'zod/mini';
    import { admin } from '#shared/http/route.ts';
    import { addCase, caseData, input } from '../../cases/cases.ts';

    export default admin.post({
      summary: { zh_CN: '新增工单', en: 'Add a case' },
      body: z.strictObject(input),
      data: caseData,
      handler: ({ body }) => addCase(body),
    });
  `,
  'Admin/case/edit.ts': `
    import * as z from 'zod/mini';
    import { admin } from '#shared/http/route.ts';
    import { version } from '#shared/schema/fields.ts';
    import { caseData, editCase, id, input } from '../../cases/cases.ts';

    export default admin.post({
      summary: { zh_CN: '编辑工单', en: 'Edit a case' },
      body: z.strictObject({ id, version, ...input }),
      data: caseData,
      errors: ['${codes}.case_not_found', 'version_conflict'],
      handler: ({ body: { id: of, version: expected, ...changes } }) => editCase(of, expected, changes),
    });
  `,
  'Admin/case/delete.ts': `
    import * as z from 'zod/mini';
    import { admin } from '#shared/http/route.ts';
    import { deleteCase, id } from '../../cases/cases.ts';

    export default admin.post({
      summary: { zh_CN: '删除工单', en: 'Delete a case' },
      body: z.strictObject({ id }),
      data: z.null(),
      errors: ['${codes}.case_not_found'],
      handler: ({ body }) => deleteCase(body.id),
    });
  `,
  'lang/en.json': `{ "${codes}.case_not_found": "There is no such case", "${codes}.kind_not_found": "There is no such kind" }\n`,
  'lang/zh_CN.json': `{ "${codes}.case_not_found": "没有这个工单", "${codes}.kind_not_found": "没有这个类型" }\n`,
  'errors.ts': `
    import { defineErrors } from '#shared/errors/app-error.ts';

    export default defineErrors({
      '${codes}.kind_not_found': 404, // no kind has this value
      '${codes}.case_not_found': 404, // no case has this ID
    });
  `,
});

/** Tools of its routes: one that reads, one that writes; the second is for the assistant too. */
const tools: Part = ({ prefix }) => ({
  'Mcp/Tools/ListCasesTool.ts': `
    import { fromRoute } from '#shared/tools/from-route.ts';
    import listRoute from '../../Admin/case/list.ts';

    export default class ListCasesTool extends fromRoute(listRoute, { name: '${prefix}.list_cases' }) {}
  `,
  'Mcp/Tools/GetCaseTool.ts': `
    import { fromRoute } from '#shared/tools/from-route.ts';
    import detailRoute from '../../Admin/case/detail.ts';

    export default class GetCaseTool extends fromRoute(detailRoute, { name: '${prefix}.get_case' }) {}
  `,
  'Mcp/Tools/AddCaseTool.ts': `
    import { fromRoute } from '#shared/tools/from-route.ts';
    import addRoute from '../../Admin/case/add.ts';

    export default class AddCaseTool extends fromRoute(addRoute, { name: '${prefix}.add_case', confirm: true }) {}
  `,
  'Ai/Tools/AddCaseTool.ts': `
    import { adapt } from '#shared/tools/ai-tool.ts';
    import McpAddCaseTool from '../../Mcp/Tools/AddCaseTool.ts';

    export default class AddCaseTool extends adapt(McpAddCaseTool) {}
  `,
});

/** A tool of its own, without a route. */
const ownTool: Part = ({ prefix }) => ({
  'Mcp/Tools/CountKindsTool.ts': `
    import * as z from 'zod/mini';
    import { McpTool } from '#shared/tools/mcp-tool.ts';
    import { listKinds } from '../../kinds/kinds.ts';

    const input = z.strictObject({});

    export default class CountKindsTool extends McpTool<typeof input> {
      override readonly name = '${prefix}.count_kinds';
      override readonly description = 'Counts the kinds.';
      override readonly inputSchema = input;
      override readonly access = 'read';

      override async handle() {
        const { list } = await listKinds();
        return { count: list.length };
      }
    }
  `,
});

const job: Part = () => ({
  'Jobs/count-kinds.ts': `
    import { defineJob } from '#shared/module/module.ts';
    import { listKinds } from '../kinds/kinds.ts';

    /** Logs the number of kinds. */
    export default defineJob({
      schedule: 'rate(2 hours)',
      run: async () => ({ kinds: (await listKinds()).list.length }),
    });
  `,
});

const listener: Part = ({ codes }) => ({
  'Stream/count-changes.ts': `
    import { defineStreamListener } from '#shared/module/module.ts';

    /** Logs the number of changed records. */
    export default defineStreamListener({
      prefixes: ['${codes.toUpperCase()}_CASE#'],
      maxAgeSeconds: 600,
      handle: async (changed) => ({ changes: changed.length }),
    });
  `,
});

/** Records that are named by numbers. */
const numbered: Part = ({ codes }) => ({
  'shelves/shelves.ts': `
    import * as z from 'zod/mini';
    import { defineEntity, findRows, getRow, putRow, versionConflict } from '#shared/db/entity.ts';
    import { singleKey, transact } from '#shared/db/items.ts';
    import { removeItem } from '#shared/db/writes.ts';
    import { titled } from '#shared/schema/titled.ts';
    import errors from '../errors.ts';

    const most = 20;
    export const id = titled({ zh_CN: '编号', en: 'ID' }, z.int().check(z.gte(1), z.lte(most)));
    export const shelf = z.strictObject({ id });
    export const shelfList = z.strictObject({ list: z.array(shelf) });

    export const shelves = defineEntity({
      row: z.object(shelf.shape),
      target: '${codes}_shelf',
      key: ({ id }: { id: number }) => singleKey(\`${codes.toUpperCase()}_SHELF#\${id}\`),
      missing: () => errors.create('${codes}.case_not_found'),
      taken: versionConflict,
    });

    export async function listShelves() {
      const ids = Array.from({ length: most }, (_, index) => ({ id: index + 1 }));
      return { list: await findRows(shelves, ids) };
    }

    export async function addShelf(given: z.infer<typeof shelf>) {
      await transact([putRow(shelves, given)]);
      return given;
    }

    export async function deleteShelf(given: z.infer<typeof shelf>): Promise<null> {
      await transact([removeItem(shelves.key(await getRow(shelves, given)))]);
      return null;
    }
  `,
  'Admin/shelf/list.ts': `
    import { admin } from '#shared/http/route.ts';
    import { listShelves, shelfList } from '../../shelves/shelves.ts';

    export default admin.get({
      summary: { zh_CN: '货架列表', en: 'List shelves' },
      data: shelfList,
      handler: () => listShelves(),
    });
  `,
  'Admin/shelf/add.ts': `
    import { admin } from '#shared/http/route.ts';
    import { addShelf, shelf } from '../../shelves/shelves.ts';

    export default admin.post({
      summary: { zh_CN: '新增货架', en: 'Add a shelf' },
      body: shelf,
      data: shelf,
      errors: ['version_conflict'],
      handler: ({ body }) => addShelf(body),
    });
  `,
  'Admin/shelf/delete.ts': `
    import * as z from 'zod/mini';
    import { admin } from '#shared/http/route.ts';
    import { deleteShelf, shelf } from '../../shelves/shelves.ts';

    export default admin.post({
      summary: { zh_CN: '删除货架', en: 'Delete a shelf' },
      body: shelf,
      data: z.null(),
      errors: ['${codes}.case_not_found'],
      handler: ({ body }) => deleteShelf(body),
    });
  `,
});

/** Routes for users: with a login, and with an optional one. */
const userRoutes: Part = () => ({
  'Api/mine/list.ts': `
    import * as z from 'zod/mini';
    import { api } from '#shared/http/route.ts';

    export default api.get({
      summary: { zh_CN: '我的用户编号', en: 'My user ID' },
      data: z.strictObject({ user_id: z.string() }),
      handler: async ({ userId }) => ({ user_id: userId }),
    });
  `,
  'Api/mine/greet.ts': `
    import * as z from 'zod/mini';
    import { api } from '#shared/http/route.ts';

    export default api.openPost({
      summary: { zh_CN: '问候', en: 'Greet' },
      body: z.strictObject({ name: z.string().check(z.maxLength(100)) }),
      data: z.strictObject({ greeting: z.string() }),
      middleware: ['api.try-auth', 'throttle:public'],
      handler: async ({ body, userId }) => ({ greeting: \`\${body.name} \${userId ?? ''}\` }),
    });
  `,
});

const webRoute: Part = () => ({
  'Web/hello.ts': `
    import * as z from 'zod/mini';
    import { web } from '#shared/http/route.ts';

    export default web.get({
      summary: { zh_CN: '问候', en: 'Greet' },
      data: z.strictObject({ hello: z.string() }),
      handler: async () => ({ hello: 'world' }),
    });
  `,
});

/** A part for other modules. */
const publicPart: Part = () => ({
  'public/kinds.ts': `
    export { listKinds } from '../kinds/kinds.ts';
  `,
});

/** Uses the public part of the module that it requires. */
const publicKinds: Part = (_names, [required]) => ({
  'Admin/kind/others.ts': `
    import { listKinds } from '#modules/${required}/public/kinds.ts';
    import { admin } from '#shared/http/route.ts';
    import { kindList } from '../../kinds/kinds.ts';

    export default admin.get({
      summary: { zh_CN: '其他模块的类型', en: 'List kinds of the other module' },
      data: kindList,
      handler: () => listKinds(),
    });
  `,
});

/** A group of settings with a secret, read by a route. */
const settings: Part = ({ codes }) => ({
  'desk/settings.ts': `
    import * as z from 'zod/mini';
    import { defineConfigGroup, setting, textSetting } from '#shared/settings/group.ts';
    import { line } from '#shared/schema/text.ts';

    export const desk = defineConfigGroup({
      name: '${codes}_desk',
      keys: {
        name: textSetting(line(100), '名称', 'Name'),
        api_key: textSetting(line(100), '密钥', 'Key', { secret: true }),
        most: setting({ schema: z.int().check(z.gte(1), z.lte(9)), default: 3, description: { zh_CN: '最多', en: 'Most' } }),
      },
    });
  `,
});

export const parts = {
  records,
  tools,
  ownTool,
  numbered,
  job,
  listener,
  userRoutes,
  webRoute,
  publicPart,
  publicKinds,
  settings,
};
