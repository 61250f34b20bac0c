import type { Field } from '#functions/console/description.ts';
import { localise, t } from '../base/locale.ts';
import { toFieldText } from './field-text.ts';
import type { TextContext } from './kind.ts';
import { dictionaryName, dictionaryValue } from './names/dictionary.ts';
import { referenceName } from './names/references.ts';

/** Texts of values in the operator's locale and zone. */
export const textContext: TextContext = {
  localise,
  nameOf: dictionaryName,
  valueNamed: dictionaryValue,
  referenceName,
  get yes() {
    return t('field.yes');
  },
  get no() {
    return t('field.no');
  },
};

/** A field's value as a person reads it. Use it in a template: it changes with locale and dictionary. */
export const fieldText = (field: Field, value: unknown): string => toFieldText(field, value, textContext);
