import type { Engine } from '../../engine.ts';
import { prepareFolders } from './folders.ts';

/** Files on a disk of this service, in the folder `STORAGE_DIR`. It has no settings. */
export const local = {
  required: [],
  receivesParts: true,
  assertReady: async () => void prepareFolders(),
  open: async () => (await import('./engine.ts')).createLocalEngine(prepareFolders()),
} satisfies Engine;
