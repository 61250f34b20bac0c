import { ref, watchEffect } from 'vue';

const storageKey = 'console.density';

/** Whether rows and inputs stand closer, as this browser remembers it. */
export const isCompact = ref(localStorage.getItem(storageKey) === 'compact');

export function switchDensity(): void {
  isCompact.value = !isCompact.value;
  localStorage.setItem(storageKey, isCompact.value ? 'compact' : 'comfortable');
}

watchEffect(() => document.documentElement.classList.toggle('compact', isCompact.value));
