import { type Ref, ref } from 'vue';

/** A reading that may be asked for again before it is answered: only the latest counts. */
export interface Latest {
  isLoading: Ref<boolean>;
  /**
   * Reads, after it has aborted the read before. What comes of a read that was overtaken is dropped.
   *
   * @param read may stop when the signal is aborted
   * @param show gets the answer
   * @param refuse gets the failure
   */
  run<Answer>(
    read: (signal: AbortSignal) => Promise<Answer>,
    show: (answer: Answer) => void,
    refuse: (error: Error) => void,
  ): Promise<void>;
  /** Drops the read that is not answered yet. */
  cancel(): void;
}

export function useLatest(): Latest {
  const isLoading = ref(false);
  let running: AbortController | undefined;

  return {
    isLoading,
    async run(read, show, refuse) {
      running?.abort();
      const own = new AbortController();
      running = own;
      isLoading.value = true;
      try {
        const answer = await read(own.signal);
        if (running === own) show(answer);
      } catch (error) {
        if (running === own) refuse(toError(error));
      } finally {
        if (running === own) isLoading.value = false;
      }
    },
    cancel() {
      running?.abort();
      running = undefined;
      isLoading.value = false;
    },
  };
}

/** Anything that was thrown, as an error. */
export const toError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));
