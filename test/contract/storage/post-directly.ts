import type { DirectTicket } from '#shared/storage/engine.ts';

export interface PostOptions {
  /** Changes the fields of the ticket. */
  fields?(fields: Record<string, string>): Record<string, string>;
  /** Replaces the key of the ticket: in the fields of a form, in the URL of a `PUT`. */
  key?: string;
  /** Bytes to send after the file. */
  append?: Uint8Array;
  /** Replaces the network for the engine `local`. */
  receive?(form: FormData): Promise<{ status: number }>;
}

/** Sends a file only with the data of a ticket, like a browser; returns the last status. */
export async function postDirectly(
  ticket: DirectTicket,
  bytes: Uint8Array,
  { fields: change = (given) => given, key, append, receive }: PostOptions = {},
): Promise<{ status: number; body: string }> {
  const { url, fields } = key === undefined ? ticket : withKey(ticket, key);
  const whole = append ? Buffer.concat([bytes, append]) : bytes;
  const partSize = ticket.part_size ?? Math.max(whole.length, 1);
  let answer = { status: 0, body: '' };
  for (let offset = 0; offset < whole.length; offset += partSize) {
    const part = new Uint8Array(whole.subarray(offset, offset + partSize));
    const form = new FormData();
    for (const [name, value] of Object.entries(change(fields))) form.append(name, value);
    if (ticket.part_size !== undefined) form.append('offset', String(offset));
    form.append(ticket.file_field, new File([part], 'picture.png', { type: 'text/html' }));
    if (receive) {
      answer = { ...(await receive(form)), body: '' };
    } else {
      const { method, headers } = ticket;
      const response = await fetch(url, { method, headers, body: method === 'PUT' ? part : form });
      answer = { status: response.status, body: await response.text() };
    }
    if (answer.status >= 400) break;
  }
  return answer;
}

function withKey({ method, url, fields }: DirectTicket, key: string): Pick<DirectTicket, 'url' | 'fields'> {
  if (method === 'POST') return { url, fields: { ...fields, key } };
  const changed = new URL(url);
  changed.pathname = changed.pathname.replace(/uploads\/.*/, key);
  return { url: changed.href, fields };
}
