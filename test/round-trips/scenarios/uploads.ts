import { validFiles } from '../../fixtures/hostile/files.ts';
import type { FunctionRequest } from '../../support/function-event.ts';
import type { Caller, Kit } from '../kit.ts';
import type { RequestScenarios } from '../scenario.ts';

const { png } = validFiles;
const asAdmin = '/adminapi/system/upload';
const asUser = '/api/system/upload';
const file = { type: 'image', name: 'picture.png', size: png.length };

interface Ticket {
  ticket: string;
  url: string;
  fields: Record<string, string>;
}

async function beginDirect({ ask }: Kit, caller: Caller, base: string): Promise<Ticket> {
  const { ticket, url, fields } = await ask(caller.post(`${base}/direct`, file));
  return { ticket: String(ticket), url: String(url), fields: Object(fields) };
}

const sendPart = ({ guest }: Kit, { url, fields }: Ticket): Promise<FunctionRequest> =>
  guest.upload(new URL(url).pathname, { ...fields, offset: '0' }, png);

/** A direct upload with all bytes received; returns the request that completes it. */
async function sendAll(kit: Kit, caller: Caller, base: string): Promise<FunctionRequest> {
  const begun = await beginDirect(kit, caller, base);
  await kit.ask(await sendPart(kit, begun));
  return caller.post(`${base}/complete`, { ticket: begun.ticket });
}

/** Uploads by form and directly, into the local engine. */
export const uploadScenarios: RequestScenarios = {
  'system-admin-upload-file': ({ admin }) => admin.upload(`${asAdmin}/file`, { type: 'image' }, png),
  'system-admin-upload-direct': ({ admin }) => admin.post(`${asAdmin}/direct`, file),
  'system-admin-upload-complete': (kit) => sendAll(kit, kit.admin, asAdmin),
  'system-api-upload-file': ({ user }) => user.upload(`${asUser}/file`, { type: 'image' }, png),
  'system-api-upload-direct': ({ user }) => user.post(`${asUser}/direct`, file),
  'system-api-upload-complete': (kit) => sendAll(kit, kit.user, asUser),
  'system-api-upload-validate': ({ user }) =>
    user.get(`${asUser}/validate`, { type: 'image', name: 'picture.png' }),
  'system-api-upload-part-get': async (kit) => {
    const { ticket } = await beginDirect(kit, kit.user, asUser);
    return kit.guest.get(`${asUser}/part`, { ticket });
  },
  'system-api-upload-part-post': async (kit) => sendPart(kit, await beginDirect(kit, kit.user, asUser)),
};
