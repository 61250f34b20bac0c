/** Parts of a realistic traffic, by scenario of `test/round-trips`; any numbers, their sum is the whole. */
export const mix: Readonly<Record<string, number>> = {
  // Readers of the public pages.
  'system-api-config-dict': 20,
  'article-api-article-list': 15,
  'article-api-article-detail': 20,
  // Users.
  'system-api-user-info': 12,
  'user-center-api-profile': 6,
  'user-center-api-profile-edit': 0.5,
  'system-api-login-account': 2,
  'system-api-login-sendCode': 2.5,
  'system-api-login-account sms': 2,
  'system-api-login-account first-sms': 0.3,
  'system-api-login-register': 0.2,
  'system-api-login-logout': 0.5,
  'system-api-upload-validate': 1,
  'system-api-upload-file': 2,
  'system-api-upload-direct': 1,
  'system-api-upload-complete': 1,
  // Operators and programs.
  'system-admin-admin-info': 3,
  'system-admin-config-dict': 2,
  'system-admin-file-list': 2,
  'user-center-admin-user-list': 1.5,
  'article-admin-article-list': 1.5,
  'article-admin-article-edit': 0.1,
  'system-admin-login-account': 0.1,
  'system-web-mcp-service': 2,
  'system-admin-ai-mcp-rpc': 0.3,
  'system-web-health': 1.5,
};

/** The goals: requests that the service must sustain, and the requests of each kind in one of them. */
export interface Goal {
  name: string;
  perSecond: number;
  parts: Readonly<Record<string, number>>;
}

export const goals: readonly Goal[] = [
  { name: 'logins by password', perSecond: 5_000, parts: { 'system-api-login-account': 1 } },
  {
    name: 'logins by SMS, with their codes',
    perSecond: 5_000,
    parts: { 'system-api-login-sendCode': 1, 'system-api-login-account sms': 1 },
  },
  {
    name: 'new users, with their codes',
    perSecond: 2_000,
    parts: { 'system-api-login-sendCode': 1, 'system-api-login-register': 1 },
  },
  { name: 'uploads by form', perSecond: 2_000, parts: { 'system-api-upload-file': 1 } },
  {
    name: 'direct uploads',
    perSecond: 2_000,
    parts: { 'system-api-upload-direct': 1, 'system-api-upload-complete': 1 },
  },
];

/** Simulated rates, in requests a second. */
export const rates = [100, 1_000, 10_000, 100_000];

/** Requests whose caller is not cached: sessions and principals are cached for 60 s. */
export const uncachedCallers = 0.1;
