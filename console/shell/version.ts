import { ref } from 'vue';

/** Whether the service has a newer console than this tab. */
export const isOutdated = ref(false);

/** Their names have hashes, and the entry names all other files. */
const scripts = [...document.querySelectorAll('script[type=module][src]')].map(
  (each) => each.getAttribute('src') ?? '',
);
const pauseMs = 5 * 60_000;
let checkedAt = Date.now();

/** Reads the index again, at most each five minutes. @param isNow the tab misses a file already */
export async function checkVersion(isNow = false): Promise<void> {
  if (isOutdated.value || (!isNow && Date.now() - checkedAt < pauseMs)) return;
  checkedAt = Date.now();
  const response = await fetch('/console/', { cache: 'no-cache' }).catch(() => undefined);
  if (!response?.ok) return;
  const index = await response.text();
  isOutdated.value = !scripts.every((script) => index.includes(script));
}
addEventListener('vite:preloadError', () => void checkVersion(true));
