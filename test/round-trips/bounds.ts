/** Scenarios whose answer comes from the cache alone, once it is there. */
export const cachedReads = [
  'system-admin-admin-info',
  'system-admin-ai-mcp-tools',
  'system-admin-ai-mcp-rpc list',
  'system-admin-config-dict',
  'system-admin-login-captchaConfig',
  'system-api-config-dict',
  'system-api-upload-validate',
  'system-api-user-info',
  'system-web-mcp-service',
  'system-web-mcp-service list',
  'system-web-mcp-service oauth',
  'system-web-mcp-service token',
  'user-center-api-profile',
];

/** Scenarios that read the database; what their gates read is cached. */
export const databaseReads = [
  'article-api-article-detail',
  'article-api-article-list',
  'system-admin-admin-token-list',
  'system-admin-ai-mcp-call',
  'system-admin-ai-mcp-rpc',
  'system-admin-file-list keyword',
  'system-admin-setting-config-list',
  'system-admin-setting-dict-data-list',
  'system-api-upload-part-get',
  'user-center-admin-user-list mobile',
];

/** Scenarios that read the database beside the gate (decision 0012); what the gate reads is cached. */
export const readsBesideGates = [
  'article-admin-article-detail',
  'article-admin-article-list',
  'system-admin-admin-detail',
  'system-admin-admin-list',
  'system-admin-file-category-list',
  'system-admin-file-detail',
  'system-admin-file-list',
  'system-admin-setting-dict-data-detail',
  'system-admin-setting-dict-type-all',
  'system-admin-setting-dict-type-detail',
  'system-admin-setting-dict-type-list',
  'system-admin-setting-dict-type-list token',
  'user-center-admin-user-detail',
  'user-center-admin-user-list',
];

export const logins = [
  'system-admin-login-account',
  'system-api-login-account',
  'system-api-login-account sms',
  'system-api-login-account first-sms',
  'system-api-login-register',
];
