import type { Page } from 'playwright-core';

/** Pastes into the element with the focus. */
export const paste = (page: Page, { html = '', file = '' }: { html?: string; file?: string }) =>
  page.evaluate(`(() => {
    const clipboardData = new DataTransfer();
    const [html, file] = ${JSON.stringify([html, file])};
    if (html) clipboardData.setData('text/html', html);
    if (file) clipboardData.items.add(new File([Uint8Array.fromBase64(file)], 'shot.png', { type: 'image/png' }));
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  })()`);
