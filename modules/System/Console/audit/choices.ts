import { referenceName, searchReferences } from '#console/fields/names/references.ts';
import type { ConsoleDescription, PageDescription } from '#functions/console/description.ts';
import type { LocalisedText } from '#shared/schema/component.ts';
import type { Choice } from './named-filter.vue';
import { texts } from './texts.ts';

type Words = (text: LocalisedText) => string;

const admins = 'system/admin';
const login = 'system/login/';

/** Administrators by a part of their account, as the log names them. */
export async function searchAdmins(text: string): Promise<Choice[]> {
  const found = await searchReferences(admins, text);
  return found.map(({ id, name }) => ({ value: `admin:${id}`, label: name }));
}

/** An actor as words: `admin:01J…`, `cli:deploy`. */
export function nameActor(actor: string): string {
  const [kind = '', ...id] = actor.split(':');
  return (kind === 'admin' ? referenceName(admins, id.join(':')) : undefined) ?? actor;
}

/** Folders and actions that change something, and logins, by their titles. */
export function listActions({ pages }: ConsoleDescription, localise: Words): Choice[] {
  const choices = pages.flatMap((page): Choice[] => {
    const changing = page.actions.filter(({ method }) => method === 'POST');
    const all = {
      value: `${page.path}/`,
      label: localise(texts.all_of).replace('{name}', localise(page.title)),
    };
    const each = changing.map(({ path, title }) => ({
      value: path.replace('/adminapi/', ''),
      label: localise(title),
    }));
    return changing.length > 0 ? [all, ...each] : [];
  });
  return [{ value: login, label: localise(texts.login) }, ...choices];
}

export const filterChoices = (choices: readonly Choice[], text: string): readonly Choice[] =>
  choices.filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()));

/** Pages whose records can be found by name. */
export const listKinds = ({ pages }: ConsoleDescription, can: (path: string) => boolean): PageDescription[] =>
  pages.filter(
    ({ records, list }) =>
      records !== undefined &&
      can(list.path.replace('/adminapi/', '')) &&
      !list.query.some(({ required }) => required),
  );
