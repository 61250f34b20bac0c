import { computed, shallowRef, watchEffect } from 'vue';
import { t } from '../locale.ts';
import { toReadableShade } from './shades.ts';

/** The brand as the service writes it into the index; a missing part is empty. */
const given: Record<string, unknown> = JSON.parse(
  document.querySelector<HTMLMetaElement>('meta[name=brand]')?.content ?? '{}',
);
const brand = shallowRef(given);
const part = (name: string) => computed(() => String(brand.value[name] ?? ''));

const colour = part('colour');
const icon = part('icon');
const name = part('name');
/** URL of the picture beside the name; empty if it has no picture. */
export const logo = part('logo');
/** The stage of the deployment; empty if it is the one that counts. */
export const stage = part('stage');
export const brandName = computed(() => name.value || t('app.name'));

/** Shows a changed brand, without a reload. */
export function showBrand(changed: Record<string, unknown>): void {
  brand.value = { ...brand.value, ...changed };
}

/** The title of the tab: that of the page, then the brand. */
export function showTitle(title: string): void {
  document.title = `${title} · ${brandName.value}`;
}

// The policy refuses styles in the page; those set by scripts it allows. The style sheet takes the shade of each theme.
watchEffect(() => {
  const given = colour.value;
  const isSet = /^#[\da-f]{6}$/.test(given);
  setVariable('--brand-colour', isSet ? given : '');
  for (const theme of ['light', 'dark'] as const)
    setVariable(`--brand-${theme}`, isSet ? toReadableShade(given, theme) : '');
});

function setVariable(property: string, value: string): void {
  const { style } = document.documentElement;
  if (value) style.setProperty(property, value);
  else style.removeProperty(property);
}

const link = document.querySelector<HTMLLinkElement>('link[rel=icon]');
const ownIcon = link?.href ?? '';
watchEffect(() => {
  // The index has set it already, and removing the type would load it again.
  if (link && icon.value !== String(given.icon ?? '')) {
    link.removeAttribute('type');
    link.href = icon.value || ownIcon;
  }
});
