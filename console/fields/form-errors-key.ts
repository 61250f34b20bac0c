import { type ComputedRef, computed, type InjectionKey, inject, type Ref } from 'vue';

/** The messages of a form's inputs by path; `record-form` provides it. */
export const formErrors: InjectionKey<Readonly<Ref<ReadonlyMap<string, string>>>> = Symbol('form-errors');

/** The message of an input; undefined if it is fine. */
export function useFieldError(path: () => string): ComputedRef<string | undefined> {
  const errors = inject(formErrors, undefined);
  return computed(() => errors?.value.get(path()));
}
