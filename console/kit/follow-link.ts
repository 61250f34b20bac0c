/** Opens what a link leads to within the page. Another tab or window is for the browser to open. */
export function followLink(event: MouseEvent, open: () => void): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  open();
}
