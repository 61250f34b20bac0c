import { readdirSync } from 'node:fs';
import type { StorageEngine } from '#shared/storage/engine.ts';
import type { EngineUnderTest } from './conformance.ts';

/** An engine that receives parts, with a replacement of the part endpoint, which finds the key by the ticket. */
export function receiveParts(engine: StorageEngine): Pick<EngineUnderTest, 'engine' | 'receive'> {
  const keys = new Map<string, string>();
  return {
    engine: {
      ...engine,
      directTicket: (upload) => {
        keys.set(upload.ticket, upload.key);
        return engine.directTicket(upload);
      },
    },
    async receive(form) {
      const file = form.get('file');
      const key = keys.get(String(form.get('ticket')));
      if (!(file instanceof File) || key === undefined || !engine.parts) return { status: 422 };
      const bytes = new Uint8Array(await file.arrayBuffer());
      const outcome = await engine.parts.receivePart(key, Number(form.get('offset')), bytes);
      return { status: outcome.isKept ? 200 : 409 };
    },
  };
}

/** The number of files below a folder. */
export const countFiles = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;
