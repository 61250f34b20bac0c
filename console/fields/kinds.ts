import type { Field, FieldType } from '#functions/console/description.ts';
import { colour } from './colour/colour.ts';
import { type FieldKind, findReferredPath } from './kind.ts';
import { toReferenceKind } from './names/reference.ts';
import { any } from './nested/any.ts';
import { list } from './nested/list.ts';
import { object } from './nested/object.ts';
import { record } from './nested/record.ts';
import { boolean } from './simple/boolean.ts';
import { bytes } from './simple/bytes.ts';
import { dictionary } from './simple/dictionary.ts';
import { enumeration } from './simple/enumeration.ts';
import { integer } from './simple/integer.ts';
import { number } from './simple/number.ts';
import { time } from './simple/time.ts';
import { file } from './text/file.ts';
import { html } from './text/html.ts';
import { id } from './text/id.ts';
import { media } from './text/media.ts';
import { multiline } from './text/multiline.ts';
import { secret } from './text/secret.ts';
import { text } from './text/text.ts';

/** The kind of each type. Forms, tables, filters, exports and settings ask it, and nothing else asks for the type. */
export const kinds: Record<FieldType, FieldKind> = {
  ...{ any, boolean, bytes, colour, dictionary, enum: enumeration, file, html, id, integer },
  ...{ list, media, multiline, number, object, record, secret, text, time },
};

/** The kind of a field. Fields of any type that name records of a page are chosen and shown by name. */
export function kindOf(field: Field): FieldKind {
  const kind = kinds[field.type];
  return findReferredPath(field) === undefined ? kind : toReferenceKind(kind);
}
