import { chooseWay, nextPart } from './upload-plan.ts';
import { isFailure, type Problem, retryDelayMs, toProblem } from './upload-problem.ts';

/** What the service answers to `upload/direct`. */
export interface Ticket {
  ticket: string;
  method: 'POST' | 'PUT';
  url: string;
  headers: Record<string, string>;
  fields: Record<string, string>;
  file_field: string;
  part_size?: number;
}

/** The requests of an upload. They throw a `Failure`, or the signal's reason. */
export interface UploadService<Source, Outcome> {
  sendForm(source: Source, onSent: (bytes: number) => void, signal: AbortSignal): Promise<Outcome>;
  begin(source: Source, signal: AbortSignal): Promise<Ticket>;
  /** Sends the bytes from `start` to `end`: the whole file, or a part of it. */
  send(
    source: Source,
    ticket: Ticket,
    part: { start: number; end: number },
    onSent: (bytes: number) => void,
    signal: AbortSignal,
  ): Promise<void>;
  countReceived(ticket: Ticket, signal: AbortSignal): Promise<number>;
  complete(ticket: Ticket): Promise<Outcome>;
}

/** What is kept between runs of one upload, so that the next run continues it. */
export interface UploadMemory {
  ticket?: Ticket | undefined;
  /** Whether bytes may have arrived with this ticket. */
  hasSent?: boolean;
}

export interface UploadRun<Source, Outcome> {
  source: Source;
  sizeBytes: number;
  memory: UploadMemory;
  service: UploadService<Source, Outcome>;
  signal: AbortSignal;
  onSent(sentBytes: number): void;
  /** All bytes are sent. */
  onCheck(): void;
  /** A request failed; it is sent again after `wait`. */
  onWait(problem: Problem): void;
  /** Resolves after the time, or rejects when the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/** Uploads one file, or continues it. @throws Failure if sending again does not help; the signal's reason */
export async function runUpload<Source, Outcome>(run: UploadRun<Source, Outcome>): Promise<Outcome> {
  const { source, sizeBytes, memory, service, signal } = run;
  // The service may register a form as soon as its last byte has left.
  const onSent = (bytes: number) => (bytes < sizeBytes ? reportSent(run, bytes) : run.onCheck());
  if (chooseWay(sizeBytes) === 'form') return repeat(run, () => service.sendForm(source, onSent, signal));
  const isContinued = memory.ticket !== undefined;
  try {
    return await runDirect(run);
  } catch (error) {
    // The ticket of an earlier run has expired, or its bytes are gone: once more from the start.
    const isOver = isFailure(error) && isTicketOver(error.code);
    if (!isOver) throw error;
    memory.ticket = undefined;
    if (!isContinued) throw error;
    return runDirect(run);
  }
}

const isTicketOver = (code: string) => code === 'upload.ticket_invalid' || code === 'upload.incomplete';

async function runDirect<Source, Outcome>(run: UploadRun<Source, Outcome>): Promise<Outcome> {
  const { memory, service, source, signal } = run;
  if (!memory.ticket) {
    memory.ticket = await repeat(run, () => service.begin(source, signal));
    memory.hasSent = false;
  }
  const { ticket } = memory;
  const early = ticket.part_size === undefined ? await sendWhole(run, ticket) : await sendParts(run, ticket);
  signal.throwIfAborted();
  run.onCheck();
  return early ?? repeat(run, () => service.complete(ticket));
}

/** @returns the outcome if an earlier attempt had arrived although its answer was lost */
async function sendWhole<Source, Outcome>(
  run: UploadRun<Source, Outcome>,
  ticket: Ticket,
): Promise<Outcome | undefined> {
  const { memory, service, source, sizeBytes, signal } = run;
  return repeat(run, async () => {
    const arrived = memory.hasSent ? await completeEarlier(run, ticket) : undefined;
    if (arrived !== undefined) return arrived;
    signal.throwIfAborted();
    memory.hasSent = true;
    const whole = { start: 0, end: sizeBytes };
    await service.send(source, ticket, whole, (bytes) => reportSent(run, bytes), signal);
    return undefined;
  });
}

async function completeEarlier<Source, Outcome>(
  { service, onCheck }: UploadRun<Source, Outcome>,
  ticket: Ticket,
): Promise<Outcome | undefined> {
  onCheck();
  try {
    return await service.complete(ticket);
  } catch (error) {
    if (isFailure(error) && error.code === 'upload.incomplete') return undefined;
    throw error;
  }
}

async function sendParts<Source, Outcome>(
  run: UploadRun<Source, Outcome>,
  ticket: Ticket,
): Promise<undefined> {
  const { memory, service, source, sizeBytes, signal } = run;
  const count = () => repeat(run, () => service.countReceived(ticket, signal));
  let received = memory.hasSent ? await count() : 0;
  let tries = 0;
  for (let part = nextPart(sizeBytes, ticket.part_size, received); part; ) {
    const { start, end } = part;
    reportSent(run, start);
    try {
      signal.throwIfAborted();
      memory.hasSent = true;
      await service.send(source, ticket, part, (bytes) => reportSent(run, start + bytes), signal);
      received = end;
      tries = 0;
    } catch (error) {
      tries += 1;
      await waitAfter(run, error, tries);
      received = await count();
    }
    part = nextPart(sizeBytes, ticket.part_size, received);
  }
  return undefined;
}

function reportSent<Source, Outcome>(run: UploadRun<Source, Outcome>, bytes: number): void {
  if (!run.signal.aborted) run.onSent(Math.min(bytes, run.sizeBytes));
}

/** Sends a request again after temporary failures. */
async function repeat<Source, Outcome, Value>(
  run: UploadRun<Source, Outcome>,
  request: () => Promise<Value>,
): Promise<Value> {
  for (let tries = 1; ; tries += 1) {
    try {
      run.signal.throwIfAborted();
      return await request();
    } catch (error) {
      await waitAfter(run, error, tries);
    }
  }
}

/** @throws the error if sending again does not help */
async function waitAfter<Source, Outcome>(
  run: UploadRun<Source, Outcome>,
  error: unknown,
  tries: number,
): Promise<void> {
  run.signal.throwIfAborted();
  const isBehind = isFailure(error) && error.code === 'upload.offset_conflict' && tries < 6;
  const delayMs = isBehind ? 0 : retryDelayMs(error, tries);
  if (delayMs === undefined) throw error;
  if (!isBehind) run.onWait(toProblem(error));
  await run.wait(delayMs, run.signal);
}
