import { type ShallowRef, shallowRef } from 'vue';

const isWide = watchMedia('(min-width: 801px)');
const isNarrow = watchMedia('(max-width: 600px)');

function watchMedia(query: string): ShallowRef<boolean> {
  const list = matchMedia(query);
  const matches = shallowRef(list.matches);
  list.addEventListener('change', (event) => {
    matches.value = event.matches;
  });
  return matches;
}

/** Whether there is room for more than one column of a page. */
export const useIsWide = () => isWide;

/** Whether there is no room for a table: its rows are cards. */
export const useIsNarrow = () => isNarrow;
