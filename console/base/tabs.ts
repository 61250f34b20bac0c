/** Why a login has ended in all tabs. */
export type Ending = 'logged_out' | 'password_changed' | 'disabled';

type Message =
  | { kind: 'wanted' }
  | { kind: 'begun'; token: string }
  | { kind: 'expired'; token: string }
  | { kind: 'ended'; token: string; ending: Ending };

/** The name of the channel, and of the lock that every tab with a login holds. */
const name = 'console.login';
/** Longest wait for a tab that has a login, or may have one. */
const waitMs = 1000;

const channel = new BroadcastChannel(name);
let release = (): void => {};

/** Tells the other tabs of this browser. The channel is of this origin, and nothing of it is written down. */
export const tellTabs = (message: Message): void => channel.postMessage(message);

/** Calls back for what other tabs tell. */
export function listenToTabs(listen: (message: Message) => void): void {
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => listen(data));
}

/** Shows the other tabs whether this one has a login that it can tell them. */
export function showLogin(isLoggedIn: boolean): void {
  release();
  if (!isLoggedIn) return;
  const ended = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Browsers offer locks on HTTPS and `localhost` only.
  navigator.locks?.request(name, { mode: 'shared' }, () => ended);
}

/** Asks the other tabs to tell their login, and waits until one has, or until none can. */
export async function askTabs(): Promise<void> {
  const locks = await navigator.locks?.query();
  if (locks && !locks.held?.some((lock) => lock.name === name)) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const hear = ({ data }: MessageEvent<Message>) => data.kind === 'begun' && resolve();
  channel.addEventListener('message', hear);
  const timer = setTimeout(resolve, locks ? waitMs : waitMs / 4);
  tellTabs({ kind: 'wanted' });
  await promise;
  clearTimeout(timer);
  channel.removeEventListener('message', hear);
}
