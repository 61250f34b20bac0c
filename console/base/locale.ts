import type { Language } from 'element-plus/es/locale/index.mjs';
import { shallowRef } from 'vue';
import { createI18n } from 'vue-i18n';
import { type Locale, locales, toLanguageTag, toLocale } from '#shared/i18n/locale.ts';
import type { LocalisedText } from '#shared/schema/component.ts';

const storageKey = 'console.locale';

export const i18n = createI18n({ legacy: false, locale: 'zh_CN', fallbackLocale: false, messages: {} });
export const { t } = i18n.global;

/** The current locale. Change it by {@link useLocale}. */
export const locale = shallowRef<Locale>(readLocale());
/** Texts of Element Plus in the current locale. */
export const elementLocale = shallowRef<Language>();

const loaders = {
  zh_CN: () => import('./lang/zh-cn.ts'),
  en: () => import('./lang/en.ts'),
};

/** Loads the texts of a locale, shows them and remembers the choice. */
export async function useLocale(chosen: Locale, isRemembered = true): Promise<void> {
  const { messages, element } = await loaders[chosen]();
  i18n.global.setLocaleMessage(chosen, messages);
  i18n.global.locale.value = chosen;
  locale.value = chosen;
  elementLocale.value = element;
  document.documentElement.lang = toLanguageTag(chosen);
  if (isRemembered) localStorage.setItem(storageKey, chosen);
}

/**
 * A text of the description or a page in the current locale.
 *
 * @param values replace `{name}` in the text
 */
export const localise = (text: LocalisedText, values: Readonly<Record<string, unknown>> = {}): string =>
  text[locale.value].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));

function readLocale(): Locale {
  const stored = locales.find((each) => each === localStorage.getItem(storageKey));
  return stored ?? navigator.languages.map(toLocale).find(Boolean) ?? locales[0];
}
