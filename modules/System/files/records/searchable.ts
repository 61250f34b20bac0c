/** A name, or a keyword, as both are compared: whatever the case, however it is composed. */
export function toSearchable(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
