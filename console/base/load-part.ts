import { type AsyncComponentLoader, type Component, defineAsyncComponent, h } from 'vue';
import ErrorState from './error-state.vue';
import LoadingState from './loading-state.vue';
import { t } from './locale.ts';

/**
 * A component that is loaded when it is shown: `loadPart(() => import('../kit/large-chart.vue'))`. It shows that it loads,
 * and that it cannot be loaded.
 */
export const loadPart = <Part extends Component>(loader: AsyncComponentLoader<Part>): Part =>
  defineAsyncComponent({
    loader,
    loadingComponent: LoadingState,
    // After an update of the service the file has another name, which a reload finds.
    errorComponent: () =>
      h(ErrorState, { error: new Error(t('error.part')), onRetry: () => location.reload() }),
  });
