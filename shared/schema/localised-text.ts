/** A text in every locale. */
export interface LocalisedText {
  zh_CN: string;
  en: string;
}
