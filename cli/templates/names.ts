import { toRoutePrefix } from '#shared/module/module.ts';

/** The forms of a module's name. */
export interface Names {
  /** In PascalCase: its folder. */
  name: string;
  /** In kebab-case: its URLs, tools, throttles and stack. */
  prefix: string;
  /** In snake_case: its error codes. */
  codes: string;
  /** For people: `User center`. */
  title: string;
  /** Key of its dictionary. */
  kindType: string;
}

const digits = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

export function createNames(name: string): Names {
  const prefix = toRoutePrefix(name);
  const words = prefix.replaceAll('-', ' ');
  // A type key has no digits.
  const letters = words.replace(/\d/g, (digit) => ` ${digits[Number(digit)]} `).trim();
  return {
    name,
    prefix,
    codes: prefix.replaceAll('-', '_'),
    title: words.charAt(0).toUpperCase() + words.slice(1),
    kindType: `${letters.split(/ +/).join('_')}_kind`,
  };
}
