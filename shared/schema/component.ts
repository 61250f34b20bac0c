import * as z from 'zod/mini';

/** Schemas that the API reference shows once, under a name: `schema.register(components, { id: 'FileRecord' })`. */
export const components = z.registry<{
  /** In PascalCase, unique in the service. */
  id: string;
}>();

/** A text in every locale. */
export interface LocalisedText {
  zh_CN: string;
  en: string;
}
