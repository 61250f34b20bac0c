import { type Component, h } from 'vue';
import { loadPart } from '../base/load-part.ts';

const load = () => import('./frame.ts');

/** Asks for the frame while the login form waits for its input. A failure is shown later, in place of the page. */
export const prepareFrame = (): void => void load().catch(() => {});

export const PageShell = later(async () => (await load()).PageShell);
export const PageView = later(async () => (await load()).PageView);
export const StandalonePage = later(async () => (await load()).StandalonePage);

/** The router takes a part itself for the loader of a page, waits for it, and shows neither that nor a failure. */
function later(loader: () => Promise<Component>): Component {
  const part = loadPart(loader);
  return { render: () => h(part) };
}
