export interface WechatApp {
  appId: string;
  secret: string;
}

export interface WechatUser {
  openId: string;
  unionId?: string;
  /** Whether it is the virtual user of a snapshot page. */
  isSnapshot?: boolean;
}

export interface WechatPhone {
  mobile: string;
  /** @default '86' */
  countryCode?: string | number;
}

/** How the double behaves. */
export interface WechatRules {
  apps: WechatApp[];
  /** The time in milliseconds. @default Date.now */
  now(): number;
  /** Life of access tokens. @default 7200 */
  tokenSeconds: number;
  /** Life of codes. @default 300 */
  codeSeconds: number;
  /** Mini-program logins of one user. @default 100 */
  loginsPerMinute: number;
}
