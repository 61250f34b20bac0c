/** True when a keyword is in one of the texts, whatever the case; an absent or blank one matches all. */
export function matchesKeyword(keyword: string | undefined, ...texts: string[]): boolean {
  const wanted = keyword?.trim().toLowerCase() ?? '';
  return texts.some((text) => text.toLowerCase().includes(wanted));
}
