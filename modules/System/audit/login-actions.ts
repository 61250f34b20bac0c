/** Actions that begin a session of an administrator. */
export const loginActions: readonly string[] = [
  'system/login/account',
  'system/login/second',
  'system/login/confirm',
  'system/login/sso',
  'system/login/invitation',
];
