/** Where users come from (specification, "User login request"). */
export const terminals = { miniProgram: 1, officialAccount: 2, h5: 3 } as const;
export type Terminal = (typeof terminals)[keyof typeof terminals];

/** A WeChat account of ours; each knows the same person by another open ID. */
export type WechatApp = 'mini' | 'official';

/** Who somebody is to one of our WeChat accounts. */
export interface OpenId {
  app: WechatApp;
  openId: string;
}
