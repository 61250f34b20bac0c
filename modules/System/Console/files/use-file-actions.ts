import { ElMessage } from 'element-plus';
import { ref } from 'vue';
import { useConsole } from '#console/kit/context.ts';
import type { FileRecord } from '#console/kit/files/use-files.ts';
import { askText } from './ask-text.ts';
import { cutBatches } from './batches.ts';
import { pageTexts } from './texts.ts';

/** Changes of files; each asks if needed and shows the outcome. They return what has changed. */
export function useFileActions() {
  const { client, locale, message, confirm } = useConsole();
  const texts = () => pageTexts[locale.value];
  const isBusy = ref(false);

  async function rename(file: FileRecord): Promise<FileRecord | undefined> {
    const { newName, nameRule, rename: title } = texts();
    const name = await askText({ title, label: newName, text: file.name, maxLength: 100, rule: nameRule });
    if (name === undefined) return undefined;
    try {
      const { data } = await client.systemAdminFileRename({ id: file.id, name });
      message.success(texts().renamed);
      return data;
    } catch (error) {
      message.error(error);
      return undefined;
    }
  }

  /** @returns the IDs that are gone */
  async function remove(files: readonly FileRecord[]): Promise<Set<string>> {
    const gone = new Set<string>();
    if (!(await confirm(texts().confirmRemove(files.length, files[0]?.name ?? ''), texts().remove)))
      return gone;
    isBusy.value = true;
    try {
      for (const batch of cutBatches(files)) {
        const { data } = await client.systemAdminFileDelete({ ids: batch.map(({ id }) => id) });
        const kept = new Set(data.failed.filter(({ code }) => code !== 'file.not_found').map(({ id }) => id));
        for (const { id } of batch) if (!kept.has(id)) gone.add(id);
      }
      if (gone.size > 0) message.success(texts().removed(gone.size));
      const kept = files.filter(({ id }) => !gone.has(id)).map(({ name }) => name);
      if (kept.length > 0) ElMessage.error(texts().notRemoved(kept.join(', ')));
    } catch (error) {
      message.error(error);
    } finally {
      isBusy.value = false;
    }
    return gone;
  }

  /** @returns the files as they are now */
  async function move(files: readonly FileRecord[], cid: string | null): Promise<FileRecord[]> {
    const moved: FileRecord[] = [];
    isBusy.value = true;
    try {
      for (const batch of cutBatches(files)) {
        await client.systemAdminFileMove({ ids: batch.map(({ id }) => id), cid });
        moved.push(...batch.map((file) => ({ ...file, cid })));
      }
      message.success(texts().moved(moved.length));
    } catch (error) {
      message.error(error);
    } finally {
      isBusy.value = false;
    }
    return moved;
  }

  return { rename, remove, move, isBusy };
}
