import type { Language } from 'element-plus/es/locale/index.mjs';
import { shallowRef } from 'vue';
import { createI18n } from 'vue-i18n';
import { type Locale, locales, toLanguageTag, toLocale } from '#shared/i18n/locale.ts';
import type { LocalisedText } from '#shared/schema/component.ts';
import * as en from './lang/en.ts';
import * as zh_CN from './lang/zh-cn.ts';

const storageKey = 'console.locale';

export const i18n = createI18n({ legacy: false, locale: 'zh_CN', fallbackLocale: false, messages: {} });
export const { t } = i18n.global;

/** The current locale. Change it by {@link useLocale}. */
export const locale = shallowRef<Locale>(readLocale());
/** Texts of Element Plus in the current locale. */
export const elementLocale = shallowRef<Language>();

// In the first file: for so few bytes, a request takes longer.
const texts = { zh_CN, en };

/** Shows the texts of a locale and remembers the choice. */
export function useLocale(chosen: Locale, isRemembered = true): void {
  const { messages, element } = texts[chosen];
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
