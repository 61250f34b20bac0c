import { computed, defineAsyncComponent, shallowRef } from 'vue';
import type { UploadType } from '#shared/config/upload.ts';
import { localise } from '../../base/locale.ts';
import { guardTab } from '../leave-guard.ts';
import { overlays } from '../overlays.ts';
import { type FileRecord, service, type UploadSource } from './service.ts';
import { uploadTexts } from './texts.ts';
import { listEndings, typeOfName } from './upload-plan.ts';
import { type UploadItem, UploadQueue } from './upload-queue.ts';
import { isOpen } from './upload-state.ts';

export type Upload = UploadItem<UploadSource, FileRecord>;

/** All uploads since the console was opened; they go on while pages change. */
export const uploads = shallowRef<Upload[]>([]);
/** The file that was uploaded last. Pages watch it to show new files. */
export const lastUploaded = shallowRef<FileRecord>();
export const openUploads = computed(() => uploads.value.filter(({ state }) => isOpen(state)).length);

export const queue = new UploadQueue<UploadSource, FileRecord>({
  service,
  onChange: (items) => {
    uploads.value = items;
  },
  onDone: (file) => {
    lastUploaded.value = file;
  },
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, ms);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
    }),
});

let isPrepared = false;

/** What is needed once there are uploads: the panel, and a question before the tab is left. */
function prepare(): void {
  if (isPrepared) return;
  isPrepared = true;
  overlays.push(defineAsyncComponent(() => import('./upload-panel.vue')));
  addEventListener('online', () => queue.retryLost());
  guardTab(() => openUploads.value > 0);
}

/**
 * Adds files to the uploads. Private ones are read by links of some minutes only.
 *
 * @param type undefined: each file's own @param cid category of that type; null for none
 */
export function uploadFiles(
  files: Iterable<File>,
  type?: UploadType,
  cid: string | null = null,
  isPrivate = false,
): number[] {
  prepare();
  return Array.from(files, (file) => {
    const own = typeOfName(file.name);
    const fits = own !== undefined && (type === undefined || type === own);
    const source = { file, type: type ?? own ?? 'file', cid, isPrivate };
    if (file.size === 0) return queue.add(source, 0, { kind: 'empty', message: '' });
    const message = localise(uploadTexts.wrongType, { endings: listEndings(type).join(', ') });
    return queue.add(source, file.size, fits ? undefined : { kind: 'type', message });
  });
}
