import { shallowRef } from 'vue';
import type { ConsoleDescription } from '#functions/console/description.ts';
import { send } from './api.ts';

/** What the enabled modules offer to administrators, as written at build time. */
export const description = shallowRef<ConsoleDescription>();

export async function loadDescription(): Promise<void> {
  const response = await send('/console/description.json');
  description.value = await response.json();
}
