import { seal, unseal } from '#shared/crypto/seal.ts';

const context = 'upload';

/** The ticket of an upload: its encrypted ID, so that a forged ticket costs no read. */
export const sealTicket = (uploadId: string): string => seal(uploadId, 'ticket', context);

/** The upload's ID of a ticket; undefined if this service did not make it. */
export const openTicket = (ticket: string): string | undefined => unseal(ticket, 'ticket', context);
