import { type Ref, ref } from 'vue';
import {
  systemAdminLoginInvitation,
  systemAdminLoginSso,
  systemAdminLoginSsoStart,
} from '#build/console/api.ts';
import { localise } from '../../base/locale.ts';
import { useAttempt } from '../../kit/factor/use-attempt.ts';
import { rememberFlow, type SsoFlow, type SsoParameters } from '../../kit/sso/flow.ts';
import { texts } from '../../kit/sso/texts.ts';

type Answer = Awaited<ReturnType<typeof systemAdminLoginSso>>['data'];

/** Leaves the console for a login at the provider. @param given what is needed when the browser comes back */
export async function startSso(
  given: Omit<SsoFlow, 'flow'> & { purpose: 'login' | 'invitation' },
): Promise<void> {
  const { data } = await systemAdminLoginSsoStart({ purpose: given.purpose });
  rememberFlow({ ...given, flow: data.flow });
  location.assign(data.url);
}

/** Ends a login at the provider, or accepts an invitation by it. */
export async function finishSso({ flow, invitation }: SsoFlow, parameters: SsoParameters): Promise<Answer> {
  const sso = { flow, ...parameters };
  const answer = await (invitation === undefined
    ? systemAdminLoginSso(sso)
    : systemAdminLoginInvitation({ invitation, sso }));
  return answer.data;
}

/** A login that may need a second step. @param enter is called with the token */
export function useEntrance(enter: (token: string) => unknown) {
  const pending: Ref<Extract<Answer, { challenge: string }> | undefined> = ref();
  const { isBusy, problem, attempt } = useAttempt();
  const take = (work: () => Promise<Answer>) =>
    attempt(async () => {
      const answer = await work();
      if ('token' in answer) await enter(answer.token);
      else pending.value = answer;
    });
  /** Shows a problem in place of the second step. @param why it ended */
  function leave(why = localise(texts.again)): void {
    pending.value = undefined;
    problem.value = why;
  }
  return { pending, isBusy, problem, attempt, take, leave };
}
