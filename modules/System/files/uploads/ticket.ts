import { decrypt, encrypt } from '#shared/crypto/encrypt.ts';
import type { SentCredential } from '#shared/http/route.ts';

/** The ticket of an upload: its encrypted ID. A forged ticket is refused without a read. */
export const encryptTicket = (uploadId: string): string => encrypt(uploadId, 'ticket', 'upload');

/** The upload's ID in a ticket; undefined if this service did not issue it. */
export const decryptTicket = (ticket: string): string | undefined => decrypt(ticket, 'ticket', 'upload');

/** The upload of the ticket in the URL, for the throttle of parts. */
export const readTicket = ({ query }: SentCredential): string | undefined =>
  decryptTicket(query.get('ticket') ?? '');
