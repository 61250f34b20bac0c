import * as z from 'zod/mini';
import type { ErrorDetail } from '#shared/errors/app-error.ts';
import { log } from '#shared/log/log.ts';
import { credential, line, text } from '#shared/schema/text.ts';
import { defineConfigGroup, setting, textSetting } from '#shared/settings/group.ts';
import { readSettings } from '#shared/settings/store.ts';

/** The login of administrators by an OpenID provider. It is off while issuer or client are empty. */
export const oidc = defineConfigGroup({
  name: 'oidc',
  title: { zh_CN: '单点登录', en: 'Single sign-on' },
  keys: {
    issuer: textSetting(
      line(300),
      '身份提供方的签发者地址（issuer），留空则关闭单点登录',
      'Issuer of the OpenID provider, a URL; if empty, single sign-on is off',
      { endpoint: true },
    ),
    client_id: textSetting(credential(300), '客户端 ID', 'Client ID'),
    client_secret: textSetting(credential(500), '客户端密钥', 'Client secret', { secret: true }),
    scopes: setting({
      schema: line(200),
      default: 'openid profile',
      description: { zh_CN: '请求的范围，以空格分隔', en: 'Requested scopes, separated by spaces' },
    }),
    button: textSetting(
      text(0, 40),
      '登录页按钮的文字，留空则用默认文字',
      'Text of the button on the login page; if empty, the usual one',
    ),
    create: setting({
      schema: z.string().check(z.regex(/^([0-9A-HJKMNP-TV-Z]{26})?$/, { error: 'rule.id' })),
      default: '',
      description: {
        zh_CN: '首次登录者自动成为管理员并获得的角色 ID，留空则不自动创建',
        en: 'ID of the role with which unknown people become administrators at their first login; if empty, none does',
      },
    }),
  },
  onSaved() {
    kept = undefined;
  },
  findFaults: (given, settings) => [...findIssuerFaults(given), ...findScopeFaults(settings)],
});

function findIssuerFaults({ issuer = '' }: Record<string, unknown>): ErrorDetail[] {
  if (issuer === '') return [];
  const url = URL.parse(String(issuer));
  const isGood = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username;
  return isGood ? [] : [{ path: 'oidc.issuer', message: 'rule.issuer' }];
}

/** Without `openid` a provider sends no ID token. */
function findScopeFaults({ scopes }: Record<string, unknown>): ErrorDetail[] {
  const isGood = String(scopes).split(' ').includes('openid');
  return isGood ? [] : [{ path: 'oidc.scopes', message: 'rule.scopes' }];
}

/** How long an instance keeps it, in milliseconds, as it keeps the brand. */
const keepMs = 60_000;
let kept: { atMs: number; button: Promise<string | undefined> } | undefined;

/** Text of the button on the login page, which may be empty; undefined if single sign-on is not set up. */
export function readSsoButton(): Promise<string | undefined> {
  const now = performance.now();
  if (!kept || now - kept.atMs >= keepMs) kept = { atMs: now, button: loadButton() };
  return kept.button;
}

/** Undefined if it cannot be read: the console must open also then. */
async function loadButton(): Promise<string | undefined> {
  try {
    const { issuer, client_id, button } = await readSettings(oidc);
    return issuer && client_id ? button : undefined;
  } catch (error) {
    log.warn('console.sso_unknown', { error });
    return undefined;
  }
}
