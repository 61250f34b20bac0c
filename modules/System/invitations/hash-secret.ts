import { createHash } from 'node:crypto';

/** The stored form of a link's secret. A plain hash is enough, because the secret is random. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('base64url');
