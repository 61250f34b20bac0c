/** The words of a text of several lines. */
export const wordsOf = (text: string): string[] => text.trim().split(/\s+/);
