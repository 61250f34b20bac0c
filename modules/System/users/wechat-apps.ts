import type { SettingsOf } from '#shared/settings/group.ts';
import { type OpenId, type Terminal, terminals, type WechatApp } from './terminal.ts';
import type { wechat } from './wechat/settings.ts';
import type { Wechat } from './wechat/wechat.ts';

/** The settings of the group `wechat`. */
export type WechatConfig = SettingsOf<typeof wechat>;

/**
 * Who a login code of a terminal stands for.
 *
 * @param terminal mini-program or official account
 * @throws AppError `auth.code_invalid`; `wechat.failed`, also where the account is not configured
 */
export async function readOpenId(terminal: Terminal, code: string, config: WechatConfig): Promise<OpenId> {
  if (terminal === terminals.officialAccount) {
    const { openId } = await (await openClient('official', config)).oauthToOpenId(code);
    return { app: 'official', openId };
  }
  const { openId } = await (await openClient('mini', config)).codeToSession(code);
  return { app: 'mini', openId };
}

/**
 * The mobile that the user of the mini-program shares.
 *
 * @throws AppError `auth.code_invalid`; `wechat.failed`, also where the mini-program is not configured
 */
export async function readWechatMobile(code: string, config: WechatConfig): Promise<string> {
  const { mobile } = await (await openClient('mini', config)).phoneNumber(code);
  return mobile;
}

/** Loads the client on first use: most logins are none of WeChat's. */
async function openClient(app: WechatApp, config: WechatConfig): Promise<Wechat> {
  const { createWechat } = await import('./wechat/wechat.ts');
  return createWechat({
    baseUrl: config.base_url,
    appId: config[`${app}_app_id`],
    secret: config[`${app}_secret`],
  });
}
