import * as z from 'zod/mini';
import { ttlAttribute } from '#shared/db/table.ts';
import { components } from '#shared/schema/component.ts';
import { titled } from '#shared/schema/titled.ts';

export const actorKinds = ['admin', 'token', 'oauth', 'cli', 'system'] as const;
const auditChannels = ['api', 'mcp', 'chat', 'cli', 'schedule'] as const;
const auditOutcomes = ['ok', 'refused', 'failed'] as const;
export type AuditChannel = (typeof auditChannels)[number];

export const auditOutcome = titled(
  {
    zh_CN: '结果',
    en: 'Outcome',
    options: {
      ok: { zh_CN: '成功', en: 'Done' },
      refused: { zh_CN: '被拒绝', en: 'Refused' },
      failed: { zh_CN: '失败', en: 'Failed' },
    },
  },
  z.enum(auditOutcomes),
);

export const auditActor = z.strictObject({
  kind: titled(
    {
      zh_CN: '操作者类型',
      en: 'Kind of actor',
      options: {
        admin: { zh_CN: '管理员', en: 'Administrator' },
        token: { zh_CN: 'API 令牌', en: 'API token' },
        oauth: { zh_CN: 'OAuth 客户端', en: 'OAuth client' },
        cli: { zh_CN: '命令行', en: 'Command line' },
        system: { zh_CN: '系统', en: 'System' },
      },
    },
    z.enum(actorKinds),
  ),
  /** ID of the administrator, or the user of a command; null if the caller is not known, as after a wrong account. */
  id: titled({ zh_CN: '操作者编号', en: 'ID of the actor', type: 'id' }, z.nullable(z.string())),
  account: titled({ zh_CN: '账号', en: 'Account' }, z.nullable(z.string())),
  /** ID of the API token or OAuth client. */
  client: titled({ zh_CN: '客户端', en: 'Client' }, z.optional(z.string())),
});
export type AuditActor = z.infer<typeof auditActor>;

/** One entry of the audit log. */
export const auditEntry = z
  .strictObject({
    /** ULID of the time `at`. */
    id: titled({ zh_CN: '编号', en: 'ID', type: 'id' }, z.string()),
    at: titled({ zh_CN: '时间', en: 'Time' }, z.iso.datetime()),
    actor: titled({ zh_CN: '操作者', en: 'Actor' }, auditActor),
    channel: titled(
      {
        zh_CN: '渠道',
        en: 'Channel',
        options: {
          api: { zh_CN: '接口', en: 'API' },
          mcp: { zh_CN: 'MCP', en: 'MCP' },
          chat: { zh_CN: '对话', en: 'Chat' },
          cli: { zh_CN: '命令行', en: 'Command line' },
          schedule: { zh_CN: '定时', en: 'Schedule' },
        },
      },
      z.enum(auditChannels),
    ),
    /** The permission, without its kind: `system/setting/dict/type/add` or `tool/article.hide`. */
    action: titled({ zh_CN: '操作代码', en: 'Action code' }, z.string()),
    /** The record that the action is about, such as `article:01J…`; null if it is about none. */
    target: titled({ zh_CN: '对象', en: 'Target' }, z.nullable(z.string())),
    outcome: auditOutcome,
    /** `ok`, or the error code. */
    code: titled({ zh_CN: '结果码', en: 'Code' }, z.string()),
    /** What was sent, as far as the schema allows to keep it (`fields.ts`). */
    fields: titled({ zh_CN: '内容', en: 'Fields' }, z.record(z.string(), z.unknown())),
    /** ID of the request; a random one for a command. */
    request_id: titled({ zh_CN: '请求编号', en: 'Request ID' }, z.string()),
    /** The client's; null for a command. */
    address: titled({ zh_CN: 'IP 地址', en: 'IP address' }, z.nullable(z.string())),
    /** Number of events that this entry stands for; absent for one. */
    count: titled({ zh_CN: '次数', en: 'Count' }, z.optional(z.int())),
    /** Time of the last of these events. */
    last_at: titled({ zh_CN: '最后时间', en: 'Last time' }, z.optional(z.iso.datetime())),
    mac: titled({ zh_CN: '校验码', en: 'Authentication code' }, z.string()),
  })
  .register(components, { id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof auditEntry>;

/** An entry as stored: with the Unix seconds at which it expires. */
export type StoredEntry = AuditEntry & { [ttlAttribute]: number };
/** What is recorded. The rest of an entry follows from it. */
export type AuditEvent = Omit<AuditEntry, 'id' | 'at' | 'mac'>;
