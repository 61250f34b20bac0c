/** The failures (5xx) that a service with healthy stores answers by intent, each with its reason. */
const always: Record<string, string> = {
  'wechat.failed': 'no application is configured, and the address does not answer',
};

/** Those that a save of settings brings about. */
const afterSave: Record<string, string> = {
  'site.closed': '`basics.sys_status` has closed the site',
  'ai.disabled': 'the assistant is switched off',
  'ai.not_configured': 'its address, key or model was taken away',
  'ai.provider_failed': 'it was given an address that does not answer, or another key',
  'storage.not_configured': 'an engine that has no account was made the default',
};

/** @param areSettingsChanged whether a save has gone through since settings were as they should be */
export const isIntended = (code: string, areSettingsChanged: boolean): boolean =>
  Object.hasOwn(always, code) || (areSettingsChanged && Object.hasOwn(afterSave, code));
