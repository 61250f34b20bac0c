import { environment } from '#shared/config/environment.ts';
import { uploadTransport } from '#shared/config/upload.ts';

/** Most file bytes that a form upload takes here. */
export const formLimitBytes = (): number =>
  uploadTransport.formLimitBytes[environment().isDeployed ? 'deployed' : 'local'];
