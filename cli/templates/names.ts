import { toRoutePrefix } from '#shared/module/module.ts';

const digits = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

/** The forms of a module's name. @param name in PascalCase, as its folder */
export function createNames(name: string) {
  const prefix = toRoutePrefix(name);
  const words = prefix.replaceAll('-', ' ');
  // A type key has no digits.
  const letters = words.replace(/\d/g, (digit) => ` ${digits[Number(digit)]} `).trim();
  return {
    name,
    /** In kebab-case: its URLs, tools, throttles and stack. */
    prefix,
    /** In snake_case: its error codes. */
    codes: prefix.replaceAll('-', '_'),
    /** For people: `User center`. */
    title: words.charAt(0).toUpperCase() + words.slice(1),
    /** Key of its dictionary. */
    kindType: `${letters.split(/ +/).join('_')}_kind`,
  };
}
export type Names = ReturnType<typeof createNames>;
