import { computed, shallowRef } from 'vue';
import { systemAdminAdminInfo } from '#build/console/api.ts';
import { isPermitted } from '#shared/auth/permission.ts';
import { type ApiError, authentication } from './api.ts';
import { description } from './description.ts';

type Administrator = Awaited<ReturnType<typeof systemAdminAdminInfo>>['data'];

// The specification sends the token in a header only, so scripts must hold it. It ends with the tab.
const storageKey = 'console.token';

const token = shallowRef(sessionStorage.getItem(storageKey) ?? undefined);
/** The current administrator; undefined before the login. */
export const administrator = shallowRef<Administrator>();
/** The refusal that ended the login; the console asks for the password again and repeats the request. */
export const expiry = shallowRef<ApiError>();
/** Why the administrator or the description could not be read. */
export const failure = shallowRef<Error>();
/** Whether the last request was not answered. */
export const isOffline = shallowRef(false);
export const isLoggedIn = computed(() => token.value !== undefined);

let renewal: PromiseWithResolvers<void> | undefined;

authentication.token = () => token.value;
authentication.lost = (isLost) => {
  isOffline.value = isLost;
};
authentication.renew = (error) => {
  if (!administrator.value) {
    end();
    return Promise.reject(error);
  }
  renewal ??= Promise.withResolvers();
  expiry.value = error;
  return renewal.promise;
};

/** Starts or renews the login. Another administrator than before starts with a fresh page. */
export async function begin(given: string): Promise<void> {
  const former = administrator.value?.id;
  token.value = given;
  sessionStorage.setItem(storageKey, given);
  await loadAdministrator();
  if (former !== undefined && administrator.value?.id !== former) return location.reload();
  expiry.value = undefined;
  renewal?.resolve();
  renewal = undefined;
}

/** Reads the administrator and their rights again. */
export async function loadAdministrator(): Promise<void> {
  administrator.value = (await systemAdminAdminInfo()).data;
}

/** Forgets the login without asking the service. */
export function end(): void {
  sessionStorage.removeItem(storageKey);
  token.value = undefined;
  administrator.value = undefined;
  expiry.value = undefined;
  renewal?.reject(new Error('logged out'));
  renewal = undefined;
}

/**
 * Whether the administrator may call a route. @param path its path without `/adminapi/`: `system/role/add`
 *
 * The service refuses it anyway; the console only does not show what it would refuse.
 */
export function can(path: string): boolean {
  const rights = administrator.value;
  const permission = description.value?.routes[`/adminapi/${path}`];
  if (!rights || !permission) return false;
  return typeof permission === 'string' || isPermitted(rights, permission);
}
