/** Specification, "User login request". */
export const terminals = { miniProgram: 1, officialAccount: 2, h5: 3 } as const;
export type Terminal = (typeof terminals)[keyof typeof terminals];

/** Our WeChat accounts. A person has a different open ID at each. */
export type WechatApp = 'mini' | 'official';

/** ID of a person at one of our WeChat accounts. */
export interface OpenId {
  app: WechatApp;
  openId: string;
}
