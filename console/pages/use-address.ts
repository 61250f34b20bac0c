import { computed } from 'vue';
import { type Router, useRoute, useRouter } from 'vue-router';
import { type Address, readAddress, writeAddress } from './address.ts';

/**
 * What a page shows over its list has an address: the browser's back closes it, and a refresh or a shared link shows it
 * again. It stands in the hash, so no filter is in its way.
 *
 * @param scope begins the actions, if a page shows records of several kinds: `type-`
 */
export function useAddress(scope = '') {
  const route = useRoute();
  const router = useRouter();
  const { path } = route;
  const locate = (hash: string) => ({ query: route.query, hash });
  /** Keeps what a list has noted for the same query. */
  const stateWith = (isOpened: boolean) => ({ ...pick(history.state, 'trail'), isOpened });
  const write = ({ action, keys }: Address) => locate(writeAddress({ action: scope + action, keys }));
  const address = computed(() => {
    const read = route.path === path ? readAddress(route.hash) : undefined;
    return read?.action.startsWith(scope) ? { ...read, action: read.action.slice(scope.length) } : undefined;
  });
  /** Goes back if the operator has opened it from the page before. Resolves when the address has changed. */
  async function close(): Promise<void> {
    if (!address.value) return;
    if (Object(history.state).isOpened) await goBack(router);
    else await router.replace({ ...locate(''), state: stateWith(false) });
  }
  return {
    /** What is shown; undefined for the list alone. */
    address,
    hrefOf: (wanted: Address): string => router.resolve(write(wanted)).href,
    open: (wanted: Address): void => void router.push({ ...write(wanted), state: stateWith(true) }),
    /** Shows another thing in place of the current one, which closes where that would have closed. */
    replace: (wanted: Address): void =>
      void router.replace({ ...write(wanted), state: stateWith(Boolean(Object(history.state).isOpened)) }),
    close,
  };
}

const goBack = (router: Router): Promise<void> =>
  new Promise((resolve) => {
    const stop = router.afterEach(() => {
      stop();
      resolve();
    });
    router.back();
  });

const pick = (object: unknown, name: string) =>
  name in Object(object) ? { [name]: Object(object)[name] } : {};
