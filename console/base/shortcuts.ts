/** Actions by key: `?`, `n`, or `Mod+K` (Ctrl, on a Mac Command). */
export type Shortcuts = Record<string, () => unknown>;

/**
 * Calls actions for keys. A key without a modifier is left to the field that has the focus.
 *
 * @returns stops listening
 */
export function listenForShortcuts(shortcuts: Shortcuts): () => void {
  const listen = (event: KeyboardEvent) => {
    const action = shortcuts[nameKey(event)];
    if (!action || event.defaultPrevented || event.isComposing) return;
    if (!nameKey(event).startsWith('Mod+') && isTyping(event.target)) return;
    event.preventDefault();
    action();
  };
  addEventListener('keydown', listen);
  return () => removeEventListener('keydown', listen);
}

const nameKey = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): string =>
  ctrlKey || metaKey || altKey ? `${altKey ? 'Alt' : 'Mod'}+${key.toUpperCase()}` : key;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest('input, textarea, select, [role="dialog"]') !== null);
