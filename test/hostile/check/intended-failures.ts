import type { ErrorCode } from '#shared/errors/catalogue.ts';

/** The failures (5xx) that a service with healthy stores answers by intent, each with its reason. */
export const intendedFailures: Partial<Record<ErrorCode, string>> = {
  'site.closed': 'a save of `basics.sys_status` has closed the site',
  'ai.disabled': 'a save has switched the assistant off',
  'ai.not_configured': 'a save has taken its address, key or model away',
  'ai.provider_failed': 'a save has given it an address where nobody answers, or another key',
  'sms.failed': 'a save has chosen a driver without an account',
  'wechat.failed': 'no application is configured, and nobody answers at the address',
  'storage.not_configured': 'a save has made an engine the default that has no account',
};
