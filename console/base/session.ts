import { computed, shallowRef } from 'vue';
import { systemAdminAdminInfo } from '#build/console/api.ts';
import { isPermitted } from '#shared/auth/permission.ts';
import { type ApiError, authentication } from './api.ts';
import { description } from './description.ts';
import { askTabs, type Ending, listenToTabs, showLogin, tellTabs } from './tabs.ts';

type Administrator = Awaited<ReturnType<typeof systemAdminAdminInfo>>['data'];

// The specification sends the token in a header only, so scripts must hold it. It ends with the browser's last tab.
const storageKey = 'console.token';

const token = shallowRef(sessionStorage.getItem(storageKey) ?? undefined);
/** The current administrator; undefined before the login. */
export const administrator = shallowRef<Administrator>();
/** Whether the service has ended the login; the console asks for the password again and repeats the request. */
export const isExpired = shallowRef(false);
/** Requests that wait for the second factor. */
export const factorQuestion = shallowRef<{ error: ApiError; answer: PromiseWithResolvers<void> }>();
/** Why the login has ended without a question: in another tab, or because the service disabled the account. */
export const ending = shallowRef<Ending>();
/** Whether the operator has logged out, here or in another tab: nothing is kept for them any more. */
export const hasLoggedOut = shallowRef(false);
/** Why the administrator or the description could not be read. */
export const failure = shallowRef<Error>();
/** Whether the last request was not answered. */
export const isOffline = shallowRef(false);
export const isLoggedIn = computed(() => token.value !== undefined);

let renewal: PromiseWithResolvers<void> | undefined;
/** The login of another tab, while it is taken over. */
let adoption: Promise<void> | undefined;

authentication.token = () => token.value;
authentication.lost = (isLost) => {
  isOffline.value = isLost;
};
authentication.renew = (error) => {
  if (!administrator.value) {
    forget();
    return Promise.reject(error);
  }
  renewal ??= Promise.withResolvers();
  isExpired.value = true;
  if (token.value) tellTabs({ kind: 'expired', token: token.value });
  return renewal.promise;
};
authentication.giveFactor = (error) => {
  factorQuestion.value ??= { error, answer: Promise.withResolvers() };
  return factorQuestion.value.answer.promise;
};
authentication.disabled = () => {
  end('disabled');
  ending.value = 'disabled';
};

showLogin(isLoggedIn.value);
listenToTabs((message) => {
  if (message.kind === 'wanted' && token.value && !isExpired.value)
    tellTabs({ kind: 'begun', token: token.value });
  if (message.kind === 'expired' && message.token === token.value && administrator.value)
    isExpired.value = true;
  // A login that is refused meanwhile is noticed by the next request.
  if (message.kind === 'begun' && message.token !== token.value)
    adoption = adopt(message.token).catch(() => {});
  // A tab that slept may end a login that all others have left.
  if (message.kind === 'ended' && message.token === token.value) {
    forget(message.ending);
    ending.value = message.ending;
  }
});

/** Starts or renews the login, here and in the other tabs. */
export async function begin(given: string): Promise<void> {
  await adopt(given);
  tellTabs({ kind: 'begun', token: given });
}

/** Takes over the login of another tab, if one has one. */
export async function join(): Promise<void> {
  await askTabs();
  await adoption;
}

/** Another administrator than before starts with a fresh page. */
async function adopt(given: string): Promise<void> {
  const former = administrator.value?.id;
  keep(given);
  await loadAdministrator();
  if (former !== undefined && administrator.value?.id !== former) return location.reload();
  isExpired.value = false;
  renewal?.resolve();
  renewal = undefined;
}

function keep(given: string): void {
  token.value = given;
  ending.value = undefined;
  hasLoggedOut.value = false;
  sessionStorage.setItem(storageKey, given);
  showLogin(true);
}

/** Reads the administrator and their rights again. */
export async function loadAdministrator(): Promise<void> {
  administrator.value = (await systemAdminAdminInfo()).data;
}

/** Ends the login in all tabs, without asking the service. */
export function end(why: Ending = 'logged_out'): void {
  if (token.value) tellTabs({ kind: 'ended', token: token.value, ending: why });
  forget(why);
}

/** @param why undefined for a token that was never good */
function forget(why?: Ending): void {
  hasLoggedOut.value = why === 'logged_out';
  sessionStorage.removeItem(storageKey);
  token.value = undefined;
  administrator.value = undefined;
  isExpired.value = false;
  showLogin(false);
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
