import { validFiles } from '../fixtures/hostile/files.ts';
import type { Client } from '../support/client.ts';
import { projectRoot, type RunningServer } from '../support/local-server.ts';
import { runService } from '../support/run-service.ts';
import { setAttribute } from '../support/table.ts';
import { createForm, field, filePart } from './upload-fixture.ts';

/** Uploads a picture as an administrator and returns its record. */
export async function uploadPicture(admin: Client, name: string, cid = '') {
  const parts = [field('type', 'image'), field('cid', cid), filePart(name, validFiles.png)];
  const { body, headers } = createForm(parts);
  return (await admin.post('/adminapi/system/upload/file', body, { headers })).data;
}

/** Changes the engine in a file's record. */
export const setEngine = (server: RunningServer, id: string, engine: string) =>
  setAttribute(server, { pk: `FILE#${id}`, sk: `FILE#${id}` }, 'engine', engine);

/** Runs a command of the service beside a server. @returns exit code and output */
export async function runCommand(
  { dataDir }: RunningServer,
  ...args: string[]
): Promise<{ code: number; printed: string }> {
  const { code, printed, complaint } = await runService(projectRoot, { DATA_DIR: dataDir }, ...args);
  return { code, printed: printed + complaint };
}
