import { ref } from 'vue';
import { ApiError } from '../../base/api.ts';
import { PasskeyError } from './passkey.ts';

/** Runs one request at a time for a form, and keeps why it was refused. @param onRefused called with each refusal */
export function useAttempt(onRefused: (error: ApiError) => void = () => {}) {
  const isBusy = ref(false);
  const problem = ref<string>();
  async function attempt(work: () => Promise<void>): Promise<void> {
    isBusy.value = true;
    problem.value = undefined;
    try {
      await work();
    } catch (error) {
      if (error instanceof PasskeyError) {
        problem.value = error.message;
        return;
      }
      if (!(error instanceof ApiError)) throw error;
      onRefused(error);
      problem.value = error.errors[0]?.message ?? error.message;
    } finally {
      isBusy.value = false;
    }
  }
  return { isBusy, problem, attempt };
}
