import { type FieldKind, plain } from '../kind.ts';
import FileInput from './file-input.vue';

/** A file to send with a form. */
export const file: FieldKind = { ...plain, input: () => FileInput };
