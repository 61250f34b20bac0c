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
}

/** The detail and the forms of a page, opened and closed by its address. */
export function useOpened({ keys, rows, isLoading, offer, runner, propose }: PageParts) {
  const { address, hrefOf, open, close } = useAddress();
  const { form } = runner;
  /** The row whose detail is shown. */
  const opened = shallowRef<Row>();
  const isOpen = ref(false);
  let followed: Address | undefined;

  const keysOf = (row: Row): string[] => keys.map((key) => String(readMember(row, key)));
  const addressOf = (action: string, row?: Row): Address => ({ action, keys: row ? keysOf(row) : [] });

  /** The row of an address; its keys alone if the list does not show it, but its detail can be read. */
  function findRow({ keys: values }: Address): Row | undefined {
    const row = rows().find((each) => keysOf(each).join('\n') === values.join('\n'));
    if (row || !offer().detail) return row;
    return Object.fromEntries(keys.map((key, index) => [key, values[index]]));
  }
  async function showForm(wanted: Address, action: Action, row?: Row): Promise<void> {
    hide();
    await runner.start(action, row, action === offer().add ? propose(action) : undefined);
    if (!form.value && address.value === wanted) close();
  }
  function show(wanted: Address, row?: Row): void {
    const { add, edit, row: others, toolbar } = offer(row);
    const action = [add, edit, ...others, ...toolbar].find(
      (each) => each?.name === wanted.action && each.takes === (row ? 'id' : 'none'),
    );
    if (action && needsForm(action)) void showForm(wanted, action, row);
    else if (wanted.action === 'detail' && row) showDetail(row);
    else close();
  }
  function showDetail(row: Row): void {
    form.value = undefined;
    opened.value = row;
    isOpen.value = true;
  }
  function hide(): void {
    isOpen.value = false;
    form.value = undefined;
  }
  function leave(): void {
    hide();
    close();
  }
  function follow(): void {
    const wanted = address.value;
    if (wanted === followed) return;
    const needsRow = wanted !== undefined && wanted.keys.length > 0;
    const row = needsRow ? findRow(wanted) : undefined;
    // The list may show it.
    if (needsRow && !row && isLoading.value) return;
    followed = wanted;
    if (wanted) show(wanted, row);
    else hide();
  }
  watch([address, isLoading], follow, { immediate: true });

  return {
    ...{ opened, isOpen },
    hrefOf: (row: Row): string => hrefOf(addressOf('detail', row)),
    openDetail: (row: Row): void => open(addressOf('detail', row)),
    /** Starts an action, on a row if one is given. Its form has an address. */
    start(action: Action, row?: Row): void {
      const isAddressed = action.takes === (row ? 'id' : 'none') && needsForm(action);
      if (isAddressed) {
        open(addressOf(action.name, row));
        return;
      }
      if (isOpen.value) leave();
      void runner.start(action, row);
    },
    /** Closes what is shown over the list. */
    close: leave,
  };
}
