import { ElMessage } from 'element-plus';
import { ref } from 'vue';
import { useConsole } from '#console/kit/context.ts';
import type { FileRecord } from '#console/kit/files/use-files.ts';
import { askText } from './ask-text.ts';
import { cutBatches } from './batches.ts';
import { pageTexts } from './texts.ts';

/** The IDs of a batch that are not there any more. */
function listGone(batch: readonly FileRecord[], failed: readonly { id: string; code: string }[]): string[] {
  const kept = new Set(failed.filter(({ code }) => code !== 'file.not_found').map(({ id }) => id));
  return batch.map(({ id }) => id).filter((id) => !kept.has(id));
}

/** Shows that it works, and why it did not. */
function useAttempt() {
  const { message } = useConsole();
  const isBusy = ref(false);
  async function attempt(work: () => Promise<void>): Promise<void> {
    isBusy.value = true;
    try {
      await work();
    } catch (error) {
      message.error(error);
    } finally {
      isBusy.value = false;
    }
  }
  return { isBusy, attempt };
}

/** Changes of files; each asks if needed and shows the outcome. They return what has changed. */
export function useFileActions() {
  const { client, locale, message, confirm } = useConsole();
  const texts = () => pageTexts[locale.value];
  const { isBusy, attempt } = useAttempt();

  async function rename(file: FileRecord): Promise<FileRecord | undefined> {
    const { newName, nameRule, rename: title } = texts();
    const name = await askText({ title, label: newName, text: file.name, maxLength: 100, rule: nameRule });
    if (name === undefined) return undefined;
    let renamed: FileRecord | undefined;
    await attempt(async () => {
      renamed = (await client.systemAdminFileRename({ id: file.id, name })).data;
      message.success(texts().renamed);
    });
    return renamed;
  }

  /** @returns the IDs that are gone */
  async function remove(files: readonly FileRecord[]): Promise<Set<string>> {
    const gone = new Set<string>();
    if (!(await confirm(texts().confirmRemove(files.length, files[0]?.name ?? ''), texts().remove)))
      return gone;
    await attempt(async () => {
      for (const batch of cutBatches(files)) {
        const { data } = await client.systemAdminFileDelete({ ids: batch.map(({ id }) => id) });
        for (const id of listGone(batch, data.failed)) gone.add(id);
      }
      if (gone.size > 0) message.success(texts().removed(gone.size));
      const kept = files.filter(({ id }) => !gone.has(id)).map(({ name }) => name);
      if (kept.length > 0) ElMessage.error(texts().notRemoved(kept.join(', ')));
    });
    return gone;
  }

  /** @returns the files as they are now */
  async function move(files: readonly FileRecord[], cid: string | null): Promise<FileRecord[]> {
    const moved: FileRecord[] = [];
    await attempt(async () => {
      for (const batch of cutBatches(files)) {
        await client.systemAdminFileMove({ ids: batch.map(({ id }) => id), cid });
        moved.push(...batch.map((file) => ({ ...file, cid })));
      }
      message.success(texts().moved(moved.length));
    });
    return moved;
  }

  return { rename, remove, move, isBusy };
}
