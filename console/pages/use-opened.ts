import { type Ref, ref, shallowRef, watch } from 'vue';
import type { Action } from '#functions/console/description.ts';
import { readMember } from '../fields/kind.ts';
import type { Address } from './address.ts';
import type { PageActions } from './generated-actions.ts';
import { type ActionRunner, needsForm } from './generated-run.ts';
import { useAddress } from './use-address.ts';

type Row = Record<string, unknown>;

interface PageParts {
  /** The fields that identify a row. */
  keys: readonly string[];
  rows: () => readonly Row[];
  isLoading: Ref<boolean>;
  /** What the page offers, or one of its rows does. */
  offer: (row?: Row) => PageActions;
  runner: ActionRunner;
  /** Values that a new record begins with. */
  propose: (add: Action) => Record<string, unknown>;
  /** As of {@link useAddress}. */
  scope?: string;
}

const keysOf = (keys: readonly string[], row: Row): string[] =>
  keys.map((key) => String(readMember(row, key)));

/** The row of an address; its keys alone if the list does not show it, but its detail can be read. */
function findRow({ keys, rows, offer }: PageParts, { keys: values }: Address): Row | undefined {
  const row = rows().find((each) => keysOf(keys, each).join('\n') === values.join('\n'));
  if (row || !offer().detail) return row;
  return Object.fromEntries(keys.map((key, index) => [key, values[index]]));
}

/** Whether an action has a form, which has an address. */
const hasForm = (action: Action, row: Row | undefined): boolean =>
  action.takes === (row ? 'id' : 'none') && needsForm(action);

/** The action of an address that has a form, if the page offers it. */
function findAction({ add, edit, row: others, toolbar }: PageActions, name: string, row?: Row) {
  return [add, edit, ...others, ...toolbar].find((action) => action?.name === name && hasForm(action, row));
}

const addressOf = ({ keys }: PageParts, action: string, row?: Row): Address => ({
  action,
  keys: row ? keysOf(keys, row) : [],
});

/** Goes on with a record that was added just now: in its form, or on the list if it has none. */
function goOn(page: PageParts, record: unknown, at: ReturnType<typeof useAddress>): void {
  const row: Row = Object(record);
  const { edit } = page.offer(row);
  const isKnown = page.keys.every((key) => readMember(row, key) !== undefined);
  if (edit && isKnown && hasForm(edit, row)) at.replace(addressOf(page, edit.name, row));
  else void at.close();
}

/** The detail and the forms of a page, opened and closed by its address. */
export function useOpened(page: PageParts) {
  const place = useAddress(page.scope);
  const { address, hrefOf, open, close } = place;
  const { runner, isLoading } = page;
  /** The row whose detail is shown. */
  const opened = shallowRef<Row>();
  const isOpen = ref(false);
  let followed: Address | undefined;

  function hide(): void {
    isOpen.value = false;
    runner.form.value = undefined;
  }
  async function showForm(wanted: Address, action: Action, row?: Row): Promise<void> {
    await runner.start(action, row, action === page.offer().add ? page.propose(action) : undefined);
    if (!runner.form.value && address.value === wanted) void close();
  }
  function show(wanted: Address, row?: Row): void {
    const action = findAction(page.offer(row), wanted.action, row);
    hide();
    if (action) void showForm(wanted, action, row);
    else if (wanted.action === 'detail' && row) [opened.value, isOpen.value] = [row, true];
    else void close();
  }
  function follow(): void {
    const wanted = address.value;
    if (wanted === followed) return;
    const needsRow = wanted !== undefined && wanted.keys.length > 0;
    const row = needsRow ? findRow(page, wanted) : undefined;
    // The list may show it.
    if (needsRow && !row && isLoading.value) return;
    followed = wanted;
    if (wanted) show(wanted, row);
    else hide();
  }
  watch([address, isLoading], follow, { immediate: true });

  function leave(): Promise<void> {
    hide();
    return close();
  }
  return {
    opened,
    isOpen,
    hrefOf: (row: Row): string => hrefOf(addressOf(page, 'detail', row)),
    openDetail: (row: Row): void => open(addressOf(page, 'detail', row)),
    /** Starts an action, on a row if one is given. Its form has an address. */
    start(action: Action, row?: Row): void {
      if (hasForm(action, row)) open(addressOf(page, action.name, row));
      else {
        if (isOpen.value) void leave();
        void runner.start(action, row);
      }
    },
    goOn: (record: unknown): void => goOn(page, record, place),
    /** Closes what is shown over the list. */
    close: leave,
  };
}
