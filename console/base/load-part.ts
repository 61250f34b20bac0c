import {
  type AsyncComponentLoader,
  type Component,
  defineAsyncComponent,
  type FunctionalComponent,
} from 'vue';
import LoadingState from './loading-state.vue';
import PartError from './part-error.vue';

/**
 * A component that is loaded when it is shown: `loadPart(() => import('./large-chart.vue'))`. It shows that it loads,
 * and that it cannot be loaded.
 *
 * @param frame is drawn at once in its place. @default a sign of loading, after a moment
 */
export const loadPart = <Part extends Component>(
  loader: AsyncComponentLoader<Part>,
  frame?: FunctionalComponent,
): Part =>
  defineAsyncComponent({
    loader,
    loadingComponent: frame ?? LoadingState,
    errorComponent: PartError,
    ...(frame && { delay: 0 }),
  });
