import { ref, watch } from 'vue';

const menuKey = 'console.menu';
const groupsKey = 'console.menu-groups';

/** Whether the menu shows pictures only, as this browser remembers it. */
export const isMenuFolded = ref(localStorage.getItem(menuKey) === 'folded');
/** Names of the groups whose pages are hidden. */
export const foldedGroups = ref((localStorage.getItem(groupsKey) ?? '').split('\n'));

export function toggleGroup(name: string): void {
  const isFolded = foldedGroups.value.includes(name);
  const others = foldedGroups.value.filter((each) => each !== name);
  foldedGroups.value = isFolded ? others : [...others, name];
}

watch(isMenuFolded, (isFolded) => localStorage.setItem(menuKey, isFolded ? 'folded' : 'open'));
watch(foldedGroups, (names) => localStorage.setItem(groupsKey, names.join('\n')));
