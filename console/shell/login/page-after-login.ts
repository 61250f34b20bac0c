import type { LocationQuery } from 'vue-router';

/** The page that was asked for before the login. Only a page of the console, not another site. */
export const pageAfterLogin = ({ to }: LocationQuery): string =>
  typeof to === 'string' && /^\/(?!\/)/.test(to) ? to : '/';
