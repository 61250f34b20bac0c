import { seal, unseal } from '#shared/crypto/seal.ts';

const context = 'upload';

/** The ticket of an upload: its ID, sealed, so that one that was not made here costs no read. */
export const sealTicket = (uploadId: string): string => seal(uploadId, 'ticket', context);

/** The ID of the upload that a ticket is of; undefined where it was not made here. */
export const openTicket = (ticket: string): string | undefined => unseal(ticket, 'ticket', context);
