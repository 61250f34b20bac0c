import type { Problem } from './upload-problem.ts';

/**
 * `waiting`: a request failed and will be sent again. `checking`: all bytes are sent, the service checks and registers
 * the file; this cannot be stopped.
 */
export type Phase =
  | 'queued'
  | 'sending'
  | 'waiting'
  | 'checking'
  | 'paused'
  | 'done'
  | 'failed'
  | 'cancelled';

export interface UploadState {
  phase: Phase;
  /** Bytes that have left the browser, without those that must be sent again. */
  sentBytes: number;
  /** Present if `failed` or `waiting`. */
  problem?: Problem;
}

export type UploadEvent =
  | { name: 'begin' | 'check' | 'done' | 'pause' | 'resume' | 'retry' | 'cancel' }
  | { name: 'sent'; sentBytes: number }
  | { name: 'wait' | 'fail'; problem: Problem };

export const initialState: UploadState = { phase: 'queued', sentBytes: 0 };

/** Where each event leads. What is not listed changes nothing. */
const transitions: Record<Phase, Partial<Record<UploadEvent['name'], Phase>>> = {
  queued: { begin: 'sending', pause: 'paused', cancel: 'cancelled' },
  sending: {
    sent: 'sending',
    check: 'checking',
    wait: 'waiting',
    done: 'done',
    fail: 'failed',
    pause: 'paused',
    cancel: 'cancelled',
  },
  waiting: {
    sent: 'sending',
    check: 'checking',
    wait: 'waiting',
    done: 'done',
    fail: 'failed',
    pause: 'paused',
    cancel: 'cancelled',
  },
  // A form that is sent again begins at its first byte.
  checking: { sent: 'sending', wait: 'waiting', done: 'done', fail: 'failed' },
  paused: { resume: 'queued', cancel: 'cancelled' },
  failed: { retry: 'queued', cancel: 'cancelled' },
  done: {},
  cancelled: {},
};

export const accepts = ({ phase }: UploadState, name: UploadEvent['name']): boolean =>
  transitions[phase][name] !== undefined;

/** The state after an event; the same one if the event does not fit. */
export function nextState(state: UploadState, event: UploadEvent): UploadState {
  const phase = transitions[state.phase][event.name];
  if (phase === undefined) return state;
  const sentBytes = event.name === 'sent' ? event.sentBytes : state.sentBytes;
  return { phase, sentBytes, ...('problem' in event && { problem: event.problem }) };
}

/** Whether a request of the upload may be under way. */
export const isActive = ({ phase }: UploadState): boolean =>
  phase === 'sending' || phase === 'waiting' || phase === 'checking';

/** Whether something is left to do without the operator. */
export const isOpen = (state: UploadState): boolean => isActive(state) || state.phase === 'queued';
