import { shallowRef } from 'vue';

const wide = matchMedia('(min-width: 801px)');
const isWide = shallowRef(wide.matches);
wide.addEventListener('change', ({ matches }) => {
  isWide.value = matches;
});

/** Whether there is room for more than one column of a page. */
export const useIsWide = () => isWide;
