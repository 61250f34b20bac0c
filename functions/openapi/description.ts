import { type Dimension, throttles } from '#shared/config/throttles.ts';
import { listThrottles, type Route } from '#shared/http/route.ts';
import type { Locale } from '#shared/i18n/locale.ts';
import type { LocalisedText } from '#shared/schema/localised-text.ts';

const callers = {
  admin: { zh_CN: '需要管理员登录。', en: "Needs an administrator's login." },
  user: { zh_CN: '需要用户登录。', en: "Needs a user's login." },
  mcp: { zh_CN: '需要管理员登录或 API 令牌。', en: "Needs an administrator's login or an API token." },
  optional: { zh_CN: '游客和已登录用户均可调用。', en: 'Open to guests and to users who are logged in.' },
  everybody: { zh_CN: '无需登录。', en: 'Needs no login.' },
} as const satisfies Record<string, LocalisedText>;

const closes: LocalisedText = {
  zh_CN: '站点关闭时返回 503。',
  en: 'Answers 503 while the site is closed.',
};

const caches: LocalisedText = {
  zh_CN: '支持 ETag：内容未变时返回 304。',
  en: 'Has an ETag: answers 304 if the content has not changed.',
};

const dimensions: Record<Dimension, LocalisedText> = {
  account: { zh_CN: '账号', en: 'account' },
  address: { zh_CN: '地址', en: 'address' },
  guest_address: { zh_CN: '地址（游客）', en: 'address (guests)' },
  mobile: { zh_CN: '手机号', en: 'mobile' },
  principal: { zh_CN: '登录者', en: 'caller' },
  refused_address: { zh_CN: '地址（被拒绝的令牌）', en: 'address (refused tokens)' },
  ticket: { zh_CN: '上传凭证', en: 'upload ticket' },
};

const windows: Record<number, LocalisedText> = {
  60: { zh_CN: '分钟', en: 'a minute' },
  3600: { zh_CN: '小时', en: 'an hour' },
  86400: { zh_CN: '天', en: 'a day' },
};

/**
 * What a route tells beside its summary, from what it declares: its own text, who may call, its limits. Plain text,
 * one sentence after the other.
 */
export function describeRoute(route: Route, locale: Locale): string {
  const sentences = [
    route.reference?.description?.[locale],
    callers[findCaller(route)][locale],
    ...listThrottles(route).map((name) => describeThrottle(name, locale)),
    route.area === 'api' && closes[locale],
    route.conditional && caches[locale],
  ];
  return sentences.filter(Boolean).join(locale === 'en' ? ' ' : '');
}

function findCaller({ area, access, middleware }: Route): keyof typeof callers {
  if (middleware.includes('mcp.auth')) return 'mcp';
  if (middleware.includes('api.try-auth')) return 'optional';
  if (access === 'open') return 'everybody';
  return area === 'admin' ? 'admin' : 'user';
}

/** The limits of a throttle, before the deployment multiplies them. */
function describeThrottle(name: keyof typeof throttles, locale: Locale): string {
  const rules = throttles[name].rules.map(({ by, limit, windowSeconds }) => {
    const labels = by.map((dimension) => dimensions[dimension][locale]);
    const { en, zh_CN } = windows[windowSeconds] ?? {
      en: `in ${windowSeconds} s`,
      zh_CN: `${windowSeconds} 秒`,
    };
    return locale === 'en'
      ? `${limit} ${en} by ${labels.join(' and ')}`
      : `按${labels.join('和')}每${zh_CN} ${limit} 次`;
  });
  return locale === 'en' ? `Limited to ${rules.join(', ')}.` : `限流：${rules.join('，')}。`;
}
