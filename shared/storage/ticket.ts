import { seal, unseal } from '#shared/crypto/seal.ts';

/** The ticket of an upload: its encrypted ID. A forged ticket is refused without a read. */
export const sealTicket = (uploadId: string): string => seal(uploadId, 'ticket', 'upload');

/** The upload's ID in a ticket; undefined if this service did not issue it. */
export const openTicket = (ticket: string): string | undefined => unseal(ticket, 'ticket', 'upload');
