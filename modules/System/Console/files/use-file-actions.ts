import { ElMessage } from 'element-plus';
import { ref } from 'vue';
import { useConsole } from '#console/kit/context.ts';
import type { FileRecord } from '#console/kit/files/use-files.ts';
import { askText } from './ask-text.ts';
import { cutBatches } from './batches.ts';
import { pageTexts as texts } from './texts.ts';

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
  const { client, confirm, localise, message } = useConsole();
  const { isBusy, attempt } = useAttempt();

  async function rename(file: FileRecord): Promise<FileRecord | undefined> {
    const [title, label, rule] = [localise(texts.rename), localise(texts.newName), localise(texts.nameRule)];
    const name = await askText({ title, label, text: file.name, maxLength: 100, rule });
    if (name === undefined) return undefined;
    let renamed: FileRecord | undefined;
    await attempt(async () => {
      renamed = (await client.systemAdminFileRename({ id: file.id, name })).data;
      message.success(localise(texts.renamed));
    });
    return renamed;
  }

  /** @returns the IDs that are gone */
  async function remove(files: readonly FileRecord[]): Promise<Set<string>> {
    const gone = new Set<string>();
    const question = files.length === 1 ? texts.confirm_remove_one : texts.confirmRemove;
    const named = { count: files.length, name: files[0]?.name ?? '' };
    if (!(await confirm(localise(question, named), localise(texts.remove)))) return gone;
    await attempt(async () => {
      for (const batch of cutBatches(files)) {
        const { data } = await client.systemAdminFileDelete({ ids: batch.map(({ id }) => id) });
        for (const id of listGone(batch, data.failed)) gone.add(id);
      }
      if (gone.size > 0)
        message.success(localise(gone.size === 1 ? texts.removed_one : texts.removed, { count: gone.size }));
      const kept = files.filter(({ id }) => !gone.has(id)).map(({ name }) => name);
      if (kept.length > 0) ElMessage.error(localise(texts.notRemoved, { names: kept.join(', ') }));
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
      const done = moved.length === 1 ? texts.moved_one : texts.moved;
      message.success(localise(done, { count: moved.length }));
    });
    return moved;
  }

  return { rename, remove, move, isBusy };
}
