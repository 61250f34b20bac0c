import type { Ticket } from './run-upload.ts';

/** What a direct upload sends for the bytes from `start` to `end` of a file: a form, or for `PUT` the bytes alone. */
export function bodyOf(
  { method, fields, file_field, part_size }: Omit<Ticket, 'ticket' | 'url' | 'headers'>,
  file: File,
  start: number,
  end: number,
): FormData | Blob {
  const bytes = file.slice(start, end, file.type);
  if (method === 'PUT') return bytes;
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (part_size !== undefined) form.append('offset', String(start));
  form.append(file_field, bytes, file.name);
  return form;
}
