import { ref } from 'vue';

/** Pictures of open editors that are not uploaded yet, or could not be. A text that is saved now misses them. */
export const pendingPictures = ref(0);
