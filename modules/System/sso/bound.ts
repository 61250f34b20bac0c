import type { AppError } from '#shared/errors/app-error.ts';
import systemErrors from '../errors.ts';

/** The change that binds an administrator who is not bound. */
export const bindTo = (issuer: string, subject: string) => ({
  set: { sso_issuer: issuer, sso_subject: subject, sso_since: new Date().toISOString() },
  expect: { status: 'enabled', sso_subject: undefined },
});

export const bound = (): AppError => systemErrors.create('sso.bound');
