import { computed } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import { type Address, readAddress, writeAddress } from './address.ts';

/**
 * What a page shows over its list has an address: the browser's back closes it, and a refresh or a shared link shows it
 * again. It stands in the hash, so no filter is in its way.
 */
export function useAddress() {
  const route = useRoute();
  const router = useRouter();
  const { path } = route;
  const locate = (hash: string) => ({ query: route.query, hash });
  /** Keeps what a list has noted for the same query. */
  const stateWith = (isOpened: boolean) => ({ ...pick(history.state, 'trail'), isOpened });
  return {
    /** What is shown; undefined for the list alone. */
    address: computed(() => (route.path === path ? readAddress(route.hash) : undefined)),
    hrefOf: (wanted: Address): string => router.resolve(locate(writeAddress(wanted))).href,
    open: (wanted: Address): void =>
      void router.push({ ...locate(writeAddress(wanted)), state: stateWith(true) }),
    /** Goes back if the operator has opened it from the page before. */
    close(): void {
      if (!route.hash) return;
      if (Object(history.state).isOpened) router.back();
      else void router.replace({ ...locate(''), state: stateWith(false) });
    },
  };
}

const pick = (object: unknown, name: string) =>
  name in Object(object) ? { [name]: Object(object)[name] } : {};
