import { formatPermission } from '#shared/auth/permission.ts';
import { findLogin, listGates } from '#shared/http/gates.ts';
import { rawAnswer } from '#shared/http/raw-answer.ts';
import type { Area, DescribedAnswer, Route } from '#shared/http/route.ts';
import type { Locale } from '#shared/i18n/locale.ts';
import { okMessages } from '#shared/i18n/messages.ts';
import type { LocalisedText } from '#shared/schema/component.ts';
import {
  type CallerDimension,
  type Dimension,
  nameDimension,
  type Throttle,
  type ThrottleRule,
} from '#shared/throttle/throttles.ts';
import { findPermission } from '../discover/permissions.ts';
import { areas } from '../discover/route-path.ts';
import type { FoundRoute } from '../model.ts';
import { sampleRequestId } from './examples.ts';
import { describeFailures } from './failures.ts';
import { referToHeaders } from './headers.ts';
import { type Json, refer } from './json-schema.ts';
import { describeParameters, describeRequestBody } from './request.ts';
import { describeEnvelope, type Edition, texts } from './texts.ts';

const open: LocalisedText = { zh_CN: '无需登录。', en: 'Needs no login.' };

const caches: LocalisedText = {
  zh_CN: '支持 ETag：内容未变时返回 304。',
  en: 'Has an ETag: answers 304 if the content has not changed.',
};

const callers: Record<CallerDimension, LocalisedText> = {
  address: { zh_CN: '地址', en: 'address' },
  guest_address: { zh_CN: '地址（游客）', en: 'address (guests)' },
  principal: { zh_CN: '登录者', en: 'caller' },
  refused_address: { zh_CN: '地址（被拒绝的令牌）', en: 'address (refused tokens)' },
};

const windows: Record<number, LocalisedText> = {
  60: { zh_CN: '分钟', en: 'a minute' },
  3600: { zh_CN: '小时', en: 'an hour' },
  86400: { zh_CN: '天', en: 'a day' },
};

/** The tag of a route: `System/Admin`. */
export const nameTag = (module: string, area: Area): string =>
  `${module}/${areas.find((each) => each.area === area)?.folder}`;

export function describeOperation(found: FoundRoute, method: string, edition: Edition): Json {
  const { route, functionName } = found;
  const permission = findPermission(found);
  const { locale } = edition;
  const parameters = describeParameters(found, edition.writer);
  const requestBody = describeRequestBody(found, edition);
  const answers = describeAnswers(route, edition);
  // Linters want a 2xx or this. An endpoint of OAuth only redirects.
  const hasSuccess = Object.keys(answers).some((status) => status.startsWith('2'));
  return {
    operationId: method === 'HEAD' ? `${functionName}-head` : functionName,
    tags: [nameTag(found.module, route.area)],
    summary: route.summary[locale],
    description: describeRoute(found, locale),
    'x-summary-zh_CN': route.summary.zh_CN,
    'x-summary-en': route.summary.en,
    ...(typeof permission === 'object' && { 'x-permission': formatPermission(permission) }),
    // Each entry is one way to authenticate; `{}` allows guests.
    security: findLogin(route)?.security ?? [],
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    // HEAD has the answers of GET, without bodies.
    responses: {
      ...answers,
      ...describeFailures(found, edition),
      ...(!hasSuccess && { default: { description: texts.answeredByGateway[locale] } }),
    },
  };
}

/** The description of a route, as plain text: its own text, the required login, its limits. */
function describeRoute({ route, throttles }: FoundRoute, locale: Locale): string {
  const login = findLogin(route);
  const sentences = [
    route.reference?.description?.[locale],
    (login?.reference ?? open)[locale],
    ...throttles.map(({ throttle }) => describeThrottle(throttle, locale)),
    ...listGates(route).flatMap(({ name, reference }) => (name === login?.name ? [] : [reference?.[locale]])),
    route.conditional && caches[locale],
  ];
  return sentences.filter(Boolean).join(locale === 'en' ? ' ' : '');
}

function labelDimension(dimension: Dimension): LocalisedText {
  if (typeof dimension === 'string') return callers[dimension];
  const name = 'body' in dimension ? dimension.body : nameDimension(dimension);
  return dimension.title ?? { zh_CN: name, en: name };
}

/** The limit of a rule, before `THROTTLE_FACTOR`. */
export function describeRule({ by, limit, windowSeconds, failures }: ThrottleRule): LocalisedText {
  const labels = by.map(labelDimension);
  const window = windows[windowSeconds] ?? { en: `in ${windowSeconds} s`, zh_CN: `${windowSeconds} 秒` };
  return {
    en: `${limit} ${failures ? 'failures ' : ''}${window.en} by ${labels.map(({ en }) => en).join(' and ')}${failures ? ' (then the captcha)' : ''}`,
    zh_CN: `按${labels.map(({ zh_CN }) => zh_CN).join('和')}每${window.zh_CN} ${limit} 次${failures ? '失败（其后需人机验证）' : ''}`,
  };
}

function describeThrottle(throttle: Throttle, locale: Locale): string {
  const rules = throttle.rules.map((rule) => describeRule(rule)[locale]);
  return locale === 'en' ? `Limited to ${rules.join(', ')}.` : `限流：${rules.join('，')}。`;
}

/** The successful answers of a route, by HTTP status. */
function describeAnswers(route: Route, edition: Edition): Json {
  if (route.data === rawAnswer) return describeRaw(route, edition);
  const { conditional, data, reference } = route;
  const sample = reference?.example?.data;
  const message = okMessages[edition.locale];
  const headers = referToHeaders([
    'x-request-id',
    'content-language',
    ...(conditional ? ['etag', 'cache-control', 'vary'] : []),
    ...listGates(route).flatMap((gate) => gate.headers ?? []),
  ]);
  const content = {
    schema: describeEnvelope({ type: 'string', const: 'ok' }, edition.writer.write(data, 'output')),
    ...(sample !== undefined && {
      example: { code: 'ok', message, data: sample, request_id: sampleRequestId },
    }),
  };
  return {
    200: { description: message, headers, content: { 'application/json': content } },
    ...(conditional && { 304: refer('responses', 'NotModified') }),
  };
}

/** The default answer of a route without an envelope. */
const anyBytes: DescribedAnswer = {
  status: 200,
  description: { zh_CN: '无信封的内容', en: 'Content without an envelope' },
  contentType: '*/*',
};

function describeRaw({ reference = {} }: Route, { locale, writer }: Edition): Json {
  const { answers = [anyBytes] } = reference;
  const bytes = { type: 'string', format: 'binary' };
  return Object.fromEntries(
    answers.map(({ status, description, contentType, schema, headers = [] }) => {
      const content = { schema: schema ? writer.write(schema, 'output') : bytes };
      const answer = {
        description: description[locale],
        headers: referToHeaders(['x-request-id', ...headers]),
        ...(contentType && { content: { [contentType]: content } }),
      };
      return [status, answer];
    }),
  );
}
