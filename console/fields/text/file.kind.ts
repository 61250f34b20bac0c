import { type FieldKind, plain } from '../kind.ts';
import FileInput from './file-input.vue';

/** A file to send with a form. */
const kind: FieldKind = { ...plain, input: () => FileInput };

export default kind;
