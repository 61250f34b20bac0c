import { type AsyncComponentLoader, type Component, defineAsyncComponent } from 'vue';
import LoadingState from './loading-state.vue';
import PartError from './part-error.vue';

/**
 * A component that is loaded when it is shown: `loadPart(() => import('./large-chart.vue'))`. It shows that it loads,
 * and that it cannot be loaded.
 */
export const loadPart = <Part extends Component>(loader: AsyncComponentLoader<Part>): Part =>
  defineAsyncComponent({ loader, loadingComponent: LoadingState, errorComponent: PartError });
