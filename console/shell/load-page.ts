import { type Component, h, onBeforeUnmount, onMounted, ref } from 'vue';
import { loadPart } from '../base/load-part.ts';
import { useConsole } from '../kit/context.ts';
import PageFrame from './page-frame.vue';
import type { Page } from './pages.ts';

type LoadedPage = { default: Component } | { mount: MountPage };
/** What a page in plain TypeScript exports. It may return a function that cleans up. */
type MountPage = (element: HTMLElement, context: unknown) => undefined | (() => void);

/** The component of a page, loaded when it is shown. @param getTitle of the page, for its place meanwhile */
export const loadPage = (load: Page['load'], getTitle: () => Page['title'] | undefined): Component =>
  loadPart(
    () => (load ? loadByHand(load) : import('../pages/generated-page.vue')),
    () => h(PageFrame, { title: getTitle() ?? noTitle }),
  );
const noTitle = { zh_CN: '', en: '' };

async function loadByHand(load: NonNullable<Page['load']>): Promise<Component> {
  // The build has checked that the file exports a page.
  const loaded = (await load()) as LoadedPage;
  return 'default' in loaded ? loaded.default : mountPage(loaded.mount);
}

/** A component around a page in plain TypeScript. */
function mountPage(mount: MountPage): Component {
  return {
    setup() {
      const element = ref<HTMLElement>();
      let cleanUp: (() => void) | undefined;
      const context = useConsole();
      onMounted(() => {
        if (element.value) cleanUp = mount(element.value, context) ?? undefined;
      });
      onBeforeUnmount(() => cleanUp?.());
      return () => h('div', { ref: element });
    },
  };
}
