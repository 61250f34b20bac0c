import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalEngine } from '#shared/storage/engines/local/engine.ts';
import { linkStorage, openFolders } from '#shared/storage/engines/local/folders.ts';
import { itIsAStorageEngine } from './conformance.ts';

itIsAStorageEngine('local', async () => {
  const storageDir = mkdtempSync(join(tmpdir(), 'storage-'));
  linkStorage(storageDir);
  const engine = createLocalEngine(openFolders(storageDir));
  const keys = new Map<string, string>();
  return {
    engine: {
      ...engine,
      directTicket: (upload) => {
        keys.set(upload.ticket, upload.key);
        return engine.directTicket(upload);
      },
    },
    countObjects: async () =>
      readdirSync(join(storageDir, 'storage'), { recursive: true, withFileTypes: true }).filter((entry) =>
        entry.isFile(),
      ).length,
    receive: (form) => receive(engine, keys, form),
    stop: async () => {},
  };
});

/** Replaces the part endpoint, which finds the key by the ticket. */
async function receive(
  engine: ReturnType<typeof createLocalEngine>,
  keys: Map<string, string>,
  form: FormData,
): Promise<{ status: number }> {
  const file = form.get('file');
  const key = keys.get(String(form.get('ticket')));
  if (!(file instanceof File) || key === undefined) return { status: 422 };
  const outcome = await engine.parts.receivePart(
    key,
    Number(form.get('offset')),
    new Uint8Array(await file.arrayBuffer()),
  );
  return { status: outcome.isKept ? 200 : 409 };
}
