import { computed } from 'vue';
import { useRoute, useRouter } from 'vue-router';

/**
 * Values of the URL's query: what a page shows has an address, such as a tab. A refresh and a shared link show it again,
 * and the browser's back goes to the one before.
 */
export function useQuery() {
  const route = useRoute();
  const router = useRouter();
  const { path } = route;
  const query = computed<Readonly<Record<string, string>>>((former) => {
    // Another page has other values, and this one is left soon.
    if (former && route.path !== path) return former;
    const entries = Object.entries(route.query).map(([name, value]) => [name, [value].flat()[0] ?? '']);
    const read = Object.fromEntries(entries);
    return JSON.stringify(read) === JSON.stringify(former) ? former : read;
  });
  const change = (values: Readonly<Record<string, string | undefined>>) =>
    Object.fromEntries(Object.entries({ ...query.value, ...values }).filter(([, value]) => value));
  return {
    query,
    /** Address of this page with other values. Without a value, a name is left out. */
    hrefOf: (values: Record<string, string | undefined>): string =>
      router.resolve({ path, query: change(values) }).href,
    /** @param isReplaced the browser's back skips what was there, as a text that is being typed */
    setQuery: (values: Record<string, string | undefined>, isReplaced = false): void =>
      void router[isReplaced ? 'replace' : 'push']({ query: change(values) }),
  };
}
