import { describe, expect } from '@jest/globals';
import { browserTest } from '../chromium.ts';
import { findBarriersInBothLocales } from './find-barriers.ts';
import type { Tab } from './fixture.ts';
import { addHolder } from './holders.ts';
import { untilLoaded } from './log-in.ts';
import { useDeskWithProvider } from './provider.ts';
import { article } from './states/article.ts';
import { assistantOf } from './states/assistant.ts';
import { dictionaries } from './states/dictionaries.ts';
import { files } from './states/files.ts';
import { forms } from './states/forms.ts';
import { lists } from './states/lists.ts';
import { services } from './states/services.ts';
import { session } from './states/session.ts';
import type { State, States } from './states/state.ts';

// Dialogs, menus and other states of pages in both locales and both themes, judged by axe-core, also under the pointer.

const { desk, findProvider } = useDeskWithProvider();
const topics: Record<string, States> = {
  ...{ lists, forms, article, files, dictionaries, session, services },
  assistant: assistantOf(findProvider),
};

/** Opens the page of a state as a new visitor finds it, in a tab that is used for all states of a topic. */
async function openPage(shared: Tab | undefined, { path = '', as, width = 1280 }: State): Promise<Tab> {
  if (as !== undefined || !shared) {
    const tab = await desk.open({ path, as: as && (await addHolder(desk, as)) });
    tab.page.setDefaultTimeout(10_000);
    await tab.page.setViewportSize({ width, height: 800 });
    return tab;
  }
  const { page } = shared;
  await page.unrouteAll();
  await page.setViewportSize({ width, height: 800 });
  // Also pages whose addresses differ by a hash only are loaded.
  await page.goto(`${desk.url}/health`);
  await page.evaluate('localStorage.clear()');
  await page.goto(`${desk.url}/console/${path}`);
  await untilLoaded(page);
  return shared;
}

async function judge(name: string, state: State, shared: Tab | undefined): Promise<string[]> {
  try {
    const tab = await openPage(shared, state);
    return await findBarriersInBothLocales(tab.page, name, await state.open(tab, desk));
  } catch (error) {
    return [`${name}: cannot be judged: ${error}`];
  }
}

describe('no state has a barrier', () => {
  browserTest.each(Object.entries(topics))(
    'of %s',
    async (_topic, states) => {
      const shared = await desk.open();
      shared.page.setDefaultTimeout(10_000);
      shared.page.on('dialog', (dialog) => void dialog.accept());
      const found: string[] = [];
      for (const [name, state] of Object.entries(states)) found.push(...(await judge(name, state, shared)));

      expect(found).toEqual([]);
    },
    300_000,
  );
});
