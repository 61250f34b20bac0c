import { errorCatalogue } from '#shared/errors/catalogue.ts';
import type { Locale } from '#shared/i18n/locale.ts';
import { createTranslate, type Translate } from '#shared/i18n/messages.ts';
import type { Manifest } from '../model.ts';

/** The language of a document, and the error codes and messages of the enabled modules. */
export interface Edition {
  locale: Locale;
  t: Translate;
  /** The translator of another locale. */
  translateTo(locale: Locale): Translate;
  /** HTTP status by code, those of the platform first. */
  statuses: Readonly<Record<string, number>>;
}

export function createEdition({ modules }: Pick<Manifest, 'modules'>, locale: Locale): Edition {
  const messages = modules.map((module) => module.messages);
  const translateTo = (to: Locale) => createTranslate(to, messages);
  const statuses = Object.assign({}, errorCatalogue, ...modules.map(({ errors }) => errors));
  return { locale, t: translateTo(locale), translateTo, statuses };
}
