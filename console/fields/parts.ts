import { type Component, type InjectionKey, inject } from 'vue';

/**
 * Parts of inputs that are made of lists, uploads and forms, which fields do not know: the shell provides them. Each is
 * loaded when it is shown.
 */
export interface FieldParts {
  /** Chooses a file: `v-model` for whether it is open, `type`, `@pick`. */
  mediaPicker: Component;
  /** `v-model` for the HTML, `label`. */
  richTextEditor: Component;
}

export const fieldParts: InjectionKey<FieldParts> = Symbol('field-parts');

/** The parts, in a component's `setup`. @throws Error if the shell did not provide them */
export function useFieldParts(): FieldParts {
  const parts = inject(fieldParts);
  if (!parts) throw new Error('no field parts are provided');
  return parts;
}
