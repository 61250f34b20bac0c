import { type Component, shallowReactive } from 'vue';

/** Components that the shell shows above every page, such as the panel of uploads. They stay while pages change. */
export const overlays = shallowReactive<Component[]>([]);
