import { randomUUID } from 'node:crypto';
import type * as z from 'zod/mini';
import { Recording } from '#shared/audit/recording.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { DemoRun } from '#shared/module/demo.ts';
import { readChainEnd } from '../audit/chain-state.ts';

/** An administrator of the demo. */
export interface DemoAdmin {
  id: string;
  account: string;
  /** One of the addresses for documentation (RFC 5737). */
  address: string;
}

/** What a demo administrator asks for at an earlier time. */
export interface DemoRequest {
  run: Pick<DemoRun, 'at'>;
  admin: DemoAdmin;
  moment: Date;
  /** The permission, without its kind. */
  action: string;
  /** The called route; its schema says what the audit log keeps. */
  route: { body?: z.core.$ZodType | undefined; audit?: string | undefined };
  /** The body; undefined if the gates refuse the request. */
  input?: unknown;
}

let isOpen: Promise<boolean> | undefined;
let isLeftOut = false;

/** Whether an entry was left out because the audit log does not take it. */
export const isEntryLeftOut = (): boolean => isLeftOut;

/** Whether the audit log takes entries of earlier days: only as long as no digest covers that time. */
export const isPastOpen = (): Promise<boolean> =>
  (isOpen ??= readChainEnd().then((end) => end === undefined));

/**
 * Runs work as a request of an administrator at an earlier time. The audit log records it as it records requests. If
 * the log does not take entries of that time, the work leaves none.
 */
export const runRequest = <T>(request: DemoRequest, work: () => Promise<T>): Promise<T> =>
  request.run.at(request.moment, async () => {
    if (await isPastOpen()) return createRecording(request).run(work);
    isLeftOut = true;
    return work();
  });

/** Runs work that is refused, and records that. Does nothing if the log does not take the entry. */
export const runRefused = (request: DemoRequest, work: () => Promise<unknown>): Promise<void> =>
  request.run.at(request.moment, async () => {
    if (!(await isPastOpen())) return;
    const recording = createRecording(request);
    try {
      await recording.run(work);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      await recording.fail(error);
    }
  });

function createRecording({ admin, action, route, input }: DemoRequest): Recording {
  const { id, account, address } = admin;
  const recording = new Recording({
    actor: { kind: 'admin', id, account },
    channel: 'api',
    action,
    root: 'body',
    schema: route.body,
    // It marks the entries of the demo, which stay when the rest is removed.
    requestId: `demo-${randomUUID()}`,
    address,
    isLogin: route.audit === 'login',
  });
  recording.input = input;
  return recording;
}
