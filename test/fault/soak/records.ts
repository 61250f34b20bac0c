import { type Flow, gatewayLimitMs, isDone, isHonest, type Truth } from '../flows/flow.ts';
import type { Answer } from '../world/api.ts';
import { during, Run } from '../world/run.ts';
import type { World } from '../world/world.ts';

/** A use of the service, checked again at the end. */
export interface Record {
  flow: Flow;
  state: unknown;
}

/** The result of one use of the service. */
export interface Use {
  codes: string[];
  durationMs: number;
  isAcknowledged: boolean;
  /** Whether it stopped between several writes and must be repeated. */
  isHalfDone?: boolean;
  problem?: string;
  record?: Record;
}

/**
 * Uses the service in any weather, a second time if it refuses, and checks what is stored then.
 *
 * @returns undefined if the weather prevented the preparation
 */
export async function use(world: World, flow: Flow, isRepeated: boolean): Promise<Use | undefined> {
  const state = await flow.prepare(world).catch(() => undefined);
  if (state === undefined) return undefined;
  const answers: Answer[] = [];
  try {
    const act = () => during(new Run(), () => flow.act(world, state));
    answers.push(await act());
    if (isRepeated && !isDone(flow, answers[0] as Answer)) answers.push(await act());
    const truth = await flow.look(world, state);
    judge(flow, truth, answers);
    const isAcknowledged = answers.some((answer) => isDone(flow, answer));
    return {
      ...summarise(answers),
      isAcknowledged,
      isHalfDone: truth === 'between',
      record: { flow, state },
    };
  } catch (error) {
    const listed = answers.map(({ status, code }) => `${status} ${code}`).join(', then ');
    return { ...summarise(answers), isAcknowledged: false, problem: `${flow.name}: ${error} (${listed})` };
  } finally {
    flow.release?.(world, state);
  }
}

function summarise(answers: Answer[]): Pick<Use, 'codes' | 'durationMs'> {
  return {
    codes: answers.map(({ code }) => code),
    durationMs: Math.max(0, ...answers.map(({ durationMs }) => durationMs)),
  };
}

/** @throws Error if it was answered or stored wrongly */
function judge(flow: Flow, truth: Truth, answers: Answer[]): void {
  for (const [index, answer] of answers.entries()) {
    const isConflict = index > 0 && truth === 'after' && flow.conflicts?.includes(answer.code);
    if (!isHonest(flow, answer) && !isConflict)
      throw new Error(`is not honest: ${answer.text.slice(0, 300)}`);
    if (answer.durationMs >= gatewayLimitMs) throw new Error(`took ${Math.round(answer.durationMs)} ms`);
    const isLost = isDone(flow, answer) && truth !== 'after' && !flow.isLenient;
    if (isLost) throw new Error('an acknowledged write is lost');
  }
  if (truth === 'between' && !flow.isGradual) throw new Error('a record is half written');
}
