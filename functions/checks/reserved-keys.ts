import { helpers } from '#shared/audit/target.ts';

/** First parts of keys of the platform that no entity declares. */
export const reservedKinds: readonly string[] = [
  ...helpers,
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
