import { useConsole } from '#console/kit/context.ts';
import type { Category } from '#console/kit/files/categories.ts';
import { fileTexts } from '#console/kit/files/texts.ts';
import type { UploadType } from '#shared/config/upload.ts';
import { askText } from './ask-text.ts';
import { pageTexts } from './texts.ts';

/** Adding, renaming and deleting categories; each asks, shows the outcome, and loads the categories again. */
export function useCategoryActions(load: () => Promise<void>) {
  const { client, confirm, localise, message } = useConsole();

  /** Loads the categories also after a refusal: someone else may have changed them. */
  async function attempt(action: () => Promise<unknown>, done?: string): Promise<boolean> {
    try {
      await action();
      if (done) message.success(done);
      return true;
    } catch (error) {
      message.error(error);
      return false;
    } finally {
      await load().catch(message.error);
    }
  }

  function askName(title: string, text?: string): Promise<string | undefined> {
    const [label, rule] = [localise(fileTexts.categoryName), localise(fileTexts.nameRule)];
    return askText({ title, label, maxLength: 50, rule, ...(text && { text }) });
  }

  return {
    async add(type: UploadType, parent: Category | undefined): Promise<void> {
      const { addCategory, addBelow } = fileTexts;
      const name = await askName(parent ? `${localise(addBelow)}: ${parent.name}` : localise(addCategory));
      if (name === undefined) return;
      const category = { name, type, ...(parent && { parent_id: parent.id }) };
      await attempt(() => client.systemAdminFileCategoryAdd(category), localise(pageTexts.created));
    },
    async rename(category: Category): Promise<void> {
      const name = await askName(localise(fileTexts.renameCategory), category.name);
      if (name === undefined) return;
      await attempt(
        () => client.systemAdminFileCategoryEdit({ id: category.id, name }),
        localise(pageTexts.renamed),
      );
    },
    /** @returns whether it is gone */
    async remove({ id, name }: Category): Promise<boolean> {
      const question = localise(fileTexts.confirmDeleteCategory, { name });
      if (!(await confirm(question, localise(fileTexts.deleteCategory)))) return false;
      return attempt(() => client.systemAdminFileCategoryDelete({ id }), localise(pageTexts.deleted));
    },
  };
}
