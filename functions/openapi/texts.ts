import { errorCatalogue } from '#shared/errors/catalogue.ts';
import type { SecurityScheme } from '#shared/http/gates.ts';
import type { Area } from '#shared/http/route.ts';
import type { Locale } from '#shared/i18n/locale.ts';
import { createTranslate } from '#shared/i18n/messages.ts';
import { sharedMessages } from '#shared/i18n/shared-messages.ts';
import type { LocalisedText } from '#shared/schema/component.ts';
import type { FoundRoute, Manifest } from '../model.ts';
import { createSchemaWriter, type Json, mapValues, refer } from './json-schema.ts';

/** The locale of a document, its schema writer, and the error codes and messages of the enabled modules. */
export function createEdition({ modules }: Pick<Manifest, 'modules'>, locale: Locale) {
  const catalogues = [sharedMessages, ...modules.map(({ messages }) => messages)];
  const translateTo = (to: Locale) => createTranslate(catalogues.map((each) => each[to]));
  const t = translateTo(locale);
  /** HTTP status by error code; the platform's codes come first. */
  const statuses: Record<string, number> = Object.assign(
    {},
    errorCatalogue,
    ...modules.map(({ errors }) => errors),
  );
  return { locale, t, translateTo, statuses, writer: createSchemaWriter(t, locale) };
}
export type Edition = ReturnType<typeof createEdition>;

export const areaTitles: Record<Area, LocalisedText> = {
  admin: { zh_CN: '管理端接口', en: 'for administrators' },
  api: { zh_CN: '客户端接口', en: 'for clients' },
  web: { zh_CN: '公共接口', en: 'for everyone' },
};

/** Texts of a document that are not about one route. */
export const texts = {
  title: { zh_CN: '管理后台服务接口', en: 'Administration backend API' },
  description: {
    zh_CN: [
      '管理端接口在 `/adminapi/` 下，客户端接口在 `/api/` 下。',
      '登录接口返回的 `token` 放在请求头 `Authorization: Bearer TOKEN` 中。',
      '除特别说明外，响应都是 JSON 信封 `{ code, message, data, request_id }`：成功时 `code` 为 `ok`，失败时为稳定的错误码，`message` 供人阅读，`errors` 列出不符合要求的字段。',
      '消息的语言由请求头 `X-Language` 或 `Accept-Language` 决定（`zh_CN`、`en`）。',
      '时间为 ISO 8601 UTC。JSON 请求体中不认识的字段返回 422，查询和上传表单中不认识的字段被忽略。',
      '未知的路径返回 404 `route.not_found`；路径存在但方法不支持时返回 405 `route.method_not_allowed`，响应头 `Allow` 列出支持的方法。',
      '超过约 10 MiB 的请求由网关直接拒绝，不带信封；大文件请用 `upload/direct`。',
    ].join('\n\n'),
    en: [
      'URLs for administrators begin with `/adminapi/`, URLs for clients with `/api/`.',
      'Send the `token` of a login in the header `Authorization: Bearer TOKEN`.',
      'Unless said otherwise, answers are a JSON envelope `{ code, message, data, request_id }`: `code` is `ok`, or a stable error code; `message` is for people; `errors` lists the invalid fields.',
      'The header `X-Language` or `Accept-Language` selects the language of messages (`zh_CN`, `en`).',
      'Times are ISO 8601 in UTC. Unknown fields of a JSON body are answered with 422; unknown query parameters and unknown fields of upload forms are ignored.',
      'An unknown path is answered with 404 `route.not_found`, an unsupported method with 405 `route.method_not_allowed`; then the header `Allow` lists the supported methods.',
      'The gateway refuses requests above about 10 MiB without an envelope; use `upload/direct` for large files.',
    ].join('\n\n'),
  },
  contact: { zh_CN: '本站运营者', en: 'The operator of this site' },
  server: {
    zh_CN: '本站。小程序和 App 中请使用完整的基础地址，不能用相对路径',
    en: 'This site. Mini-programs and apps need the complete base URL, not a relative path',
  },
  throttledByGateway: {
    zh_CN: '请求过多，由网关直接拒绝，不带信封',
    en: 'Too many requests; the gateway answers without an envelope',
  },
  answeredByGateway: {
    zh_CN: '其余均由网关直接返回，不带信封',
    en: 'Any other answer is from the gateway itself, without an envelope',
  },
  anyFailure: { zh_CN: '工具自身的其他错误', en: 'Any other error of a tool' },
  notModified: { zh_CN: '内容未变，无正文', en: 'The content has not changed; no body' },
} as const satisfies Record<string, LocalisedText>;

const tokens: Record<SecurityScheme, LocalisedText> = {
  adminToken: { zh_CN: '管理员登录得到的 token', en: "Token from an administrator's login" },
  userToken: { zh_CN: '用户登录得到的 token', en: "Token from a user's login" },
  apiToken: {
    zh_CN: '管理员为 MCP 客户端或程序创建的 API 令牌，范围限定其用途',
    en: 'API token that an administrator created for an MCP client or a program; its scope says what it may call',
  },
};

/** The security schemes, each with the route that issues its tokens. */
export const describeSecurity = (routes: readonly FoundRoute[], locale: Locale): Json =>
  mapValues(tokens, (text, name) => {
    const issuer = routes.find(({ route }) => route.reference?.issues === name);
    const url = issuer && `${issuer.route.method} ${issuer.path}`;
    const suffix = url ? { zh_CN: `（${url}）`, en: ` (${url})` }[locale] : '';
    return { type: 'http', scheme: 'bearer', description: text[locale] + suffix };
  });

/** The parts of every envelope, for `components`. */
export function describeParts({ locale, statuses }: Edition): Json {
  const text = (zh_CN: string, en: string, rules: Json = {}) => ({
    type: 'string',
    ...rules,
    description: { zh_CN, en }[locale],
  });
  return {
    Message: text('供人阅读的消息', 'Text for people, in the language of the request', { minLength: 1 }),
    RequestId: text('请求编号，用于查找日志', 'ID of the request, for a search in the log', { minLength: 1 }),
    ErrorCode: text('稳定的错误码', 'Stable error code for clients', { enum: Object.keys(statuses) }),
    ErrorDetail: {
      ...text('一处不符合要求的输入', 'One invalid place in the input', { type: 'object' }),
      properties: {
        path: text('位置，如 body.items.0.name', 'Position, such as `body.items.0.name`'),
        message: { type: 'string' },
      },
      required: ['path', 'message'],
      additionalProperties: false,
    },
  };
}

/** The schema of an envelope. @param rest properties besides those of every envelope */
export const describeEnvelope = (code: Json, data: Json, rest: Json = {}): Json => ({
  type: 'object',
  properties: {
    code,
    message: refer('schemas', 'Message'),
    data,
    request_id: refer('schemas', 'RequestId'),
    ...rest,
  },
  required: ['code', 'message', 'data', 'request_id'],
  additionalProperties: false,
});
