import { computed, shallowRef, watchEffect } from 'vue';

const storageKey = 'console.theme';
const preference = matchMedia('(prefers-color-scheme: dark)');
const systemIsDark = shallowRef(preference.matches);
preference.addEventListener('change', ({ matches }) => {
  systemIsDark.value = matches;
});

const chosen = shallowRef(localStorage.getItem(storageKey));

/** Whether the dark theme is shown: the operator's choice, else the system's. */
export const isDark = computed(() => (chosen.value === null ? systemIsDark.value : chosen.value === 'dark'));

export function switchTheme(): void {
  chosen.value = isDark.value ? 'light' : 'dark';
  localStorage.setItem(storageKey, chosen.value);
}

watchEffect(() => document.documentElement.classList.toggle('dark', isDark.value));
