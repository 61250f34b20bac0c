import { errorCatalogue } from '#shared/errors/catalogue.ts';
import type { Area } from '#shared/http/route.ts';
import type { Locale } from '#shared/i18n/locale.ts';
import { createTranslate, type Translate } from '#shared/i18n/messages.ts';
import type { LocalisedText } from '#shared/schema/component.ts';
import type { Manifest } from '../model.ts';
import type { Json } from './json-schema.ts';

/** The locale of a document, with the error codes and messages of the enabled modules. */
export interface Edition {
  locale: Locale;
  t: Translate;
  /** The translator of another locale. */
  translateTo(locale: Locale): Translate;
  /** HTTP status by error code; the platform's codes come first. */
  statuses: Readonly<Record<string, number>>;
}

export function createEdition({ modules }: Pick<Manifest, 'modules'>, locale: Locale): Edition {
  const messages = modules.map((module) => module.messages);
  const translateTo = (to: Locale) => createTranslate(to, messages);
  const statuses = Object.assign({}, errorCatalogue, ...modules.map(({ errors }) => errors));
  return { locale, t: translateTo(locale), translateTo, statuses };
}

export const areaTitles: Record<Area, LocalisedText> = {
  admin: { zh_CN: '管理端接口', en: 'for administrators' },
  api: { zh_CN: '客户端接口', en: 'for clients' },
  web: { zh_CN: '公共接口', en: 'for everyone' },
};

const title: LocalisedText = { zh_CN: '管理后台服务接口', en: 'Administration backend API' };

const description: LocalisedText = {
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
};

const contact: LocalisedText = { zh_CN: '本站运营者', en: 'The operator of this site' };

const server: LocalisedText = {
  zh_CN: '本站。小程序和 App 中请使用完整的基础地址，不能用相对路径',
  en: 'This site. Mini-programs and apps need the complete base URL, not a relative path',
};

const notModified: LocalisedText = { zh_CN: '内容未变，无正文', en: 'The content has not changed; no body' };

const tokens: Record<string, LocalisedText> = {
  adminToken: {
    zh_CN: '管理员登录得到的 token（POST /adminapi/system/login/account）',
    en: "Token from an administrator's login (POST /adminapi/system/login/account)",
  },
  userToken: {
    zh_CN: '用户登录得到的 token（POST /api/system/login/account）',
    en: "Token from a user's login (POST /api/system/login/account)",
  },
  apiToken: {
    zh_CN: '管理员为 MCP 客户端创建的 API 令牌（POST /adminapi/system/admin/token/add）',
    en: 'API token that an administrator created for an MCP client (POST /adminapi/system/admin/token/add)',
  },
};

const pieces = {
  Message: { zh_CN: '供人阅读的消息', en: 'Text for people, in the language of the request' },
  RequestId: { zh_CN: '请求编号，用于查找日志', en: 'ID of the request, for a search in the log' },
  ErrorDetail: { zh_CN: '一处不符合要求的输入', en: 'One invalid place in the input' },
  path: { zh_CN: '位置，如 body.items.0.name', en: 'Position, such as `body.items.0.name`' },
  ErrorCode: { zh_CN: '稳定的错误码', en: 'Stable error code for clients' },
} as const satisfies Record<string, LocalisedText>;

/** The texts of a document in its locale, and the components that consist of texts. */
export function createTexts({ locale, statuses }: Edition) {
  const describe = (text: LocalisedText) => ({ description: text[locale] });
  const schemas: Json = {
    Message: { type: 'string', minLength: 1, ...describe(pieces.Message) },
    RequestId: { type: 'string', minLength: 1, ...describe(pieces.RequestId) },
    ErrorCode: { type: 'string', enum: Object.keys(statuses), ...describe(pieces.ErrorCode) },
    ErrorDetail: {
      type: 'object',
      ...describe(pieces.ErrorDetail),
      properties: { path: { type: 'string', ...describe(pieces.path) }, message: { type: 'string' } },
      required: ['path', 'message'],
      additionalProperties: false,
    },
  };
  const securitySchemes = Object.fromEntries(
    Object.entries(tokens).map(([name, text]) => [
      name,
      { type: 'http', scheme: 'bearer', ...describe(text) },
    ]),
  );
  return {
    title: title[locale],
    description: description[locale],
    contact: contact[locale],
    server: server[locale],
    notModified: notModified[locale],
    securitySchemes,
    schemas,
  };
}
