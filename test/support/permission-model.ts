import type { Permission } from '#shared/auth/permission.ts';

/** The rule of grants, segment by segment (capabilities, section 1). */
export function isCoveredByModel(
  grants: readonly string[],
  { path, kind, sensitive, formerly = [] }: Permission,
): boolean {
  for (const [prefix = '', right] of grants.map((each) => each.split(':'))) {
    if (kind === 'write' && right === 'read') continue;
    const given = prefix.split('/');
    for (const wanted of [path, ...formerly].map((name) => name.split('/'))) {
      const isPrefix = given.every((segment, at) => segment === wanted[at]) && given.length <= wanted.length;
      if (isPrefix && (!sensitive || given.length >= wanted.length - 1)) return true;
    }
  }
  return false;
}
