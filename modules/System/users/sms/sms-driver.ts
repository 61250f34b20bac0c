/** What a code is for; each scene has a template of its own. */
export type SmsScene = 'login' | 'register' | 'bind_mobile';

/** A code on its way to a mobile. */
export interface SmsMessage {
  /** A mobile of mainland China without country code, `^1[3-9]\d{9}$`. */
  mobile: string;
  /** 6 digits. */
  code: string;
  scene: SmsScene;
}

/** A way for codes to reach mobiles. */
export interface SmsDriver {
  /**
   * Hands a message over; it resolves when the provider took it, not when it arrived.
   *
   * @throws AppError `sms.failed`, whose cause holds the provider's code and request ID, never the message
   */
  send(message: SmsMessage): Promise<void>;
}

/** Names of the drivers that there are. */
export const smsDrivers = ['local', 'aliyun', 'qcloud'] as const;

/** Settings that each provider needs for every message; a scene's template is needed for that scene only. */
const required: Partial<Record<string, readonly (keyof SmsSettings)[]>> = {
  aliyun: ['access_key', 'secret_key', 'sign_name'],
  qcloud: ['access_key', 'secret_key', 'sign_name', 'sdk_app_id'],
};

/** The settings that the chosen driver needs and that are not set. */
export const listMissingSmsSettings = (settings: SmsSettings): string[] =>
  (required[settings.driver] ?? []).filter((name) => !settings[name]);

/** The settings of the group `sms`; an empty string counts as not set. */
export interface SmsSettings {
  /** One of {@link smsDrivers}. */
  driver: string;
  /** AccessKey ID (aliyun) or SecretId (qcloud). */
  access_key?: string;
  /** AccessKey secret (aliyun) or SecretKey (qcloud). */
  secret_key?: string;
  /** Approved signature, without brackets. */
  sign_name?: string;
  /**
   * Approved template of each scene: its code `SMS_…` with the one variable `code` (aliyun), or its ID with
   * the one variable `{1}` (qcloud).
   */
  template_login?: string;
  template_register?: string;
  template_bind_mobile?: string;
  /** SdkAppId of the SMS application; qcloud only. */
  sdk_app_id?: string;
  /** qcloud only. @default 'ap-guangzhou' */
  region?: string;
  /** Scheme, host and port of the API; the provider's own by default. */
  endpoint?: string;
}
