/** First parts of keys of the platform that no entity declares. */
export const reservedKinds: readonly string[] = [
  ...[
    'AI_USAGE',
    'AUDIT',
    'AUDIT_COUNT',
    'CLAIM',
    'COUNTER',
    'DICT_IMPORT',
    'ONCE',
    'REVISION',
    'SPREAD',
    'THROTTLE',
    'USAGE',
  ],
  ...[
    'AUDIT_DIGEST',
    'CONFIG',
    'DEMO_RUN',
    'GUEST_UPLOADS',
    'HEALTH',
    'SCHEMA',
    'SMS_CODE',
    'SMS_DAY',
    'USER_LOGIN',
  ],
];
