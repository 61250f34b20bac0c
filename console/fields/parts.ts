import { type Component, type InjectionKey, inject } from 'vue';

/**
 * Parts of inputs that are made of lists, uploads and forms, which fields do not know: the form around them provides
 * them. Each is loaded when it is shown. Without them, an input is plain.
 */
export interface FieldParts {
  /** Chooses a file: `v-model` for whether it is open, `type`, `@pick`. */
  mediaPicker: Component;
  /** `v-model` for the HTML, `label`. */
  richTextEditor: Component;
}

export const fieldParts: InjectionKey<FieldParts> = Symbol('field-parts');

/** The parts, in a component's `setup`; none outside a form. */
export const useFieldParts = (): Partial<FieldParts> => inject<Partial<FieldParts>>(fieldParts, {});
