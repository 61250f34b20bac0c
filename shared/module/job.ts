import type { LocalisedText } from '#shared/schema/component.ts';

/** Limits of a deployed function. */
export interface FunctionLimits {
  timeoutSeconds?: number;
  memoryMb?: number;
}

/** When a job is due. */
export interface Schedule {
  /**
   * An expression of AWS: `rate(15 minutes)`, or `cron(30 2 * * ? *)` with minute, hour, day of the month, month, day of
   * the week and year.
   */
  schedule: string;
  /** IANA name of the zone of a `cron(…)`, such as `Asia/Shanghai`. @default 'UTC' */
  timeZone?: string;
}

/** One run of a job. A run that was cut goes on with the same `due` and `key`. */
export interface JobRun {
  /** The time for which this run was due. A run that an operator started is due at that moment. */
  due: Date;
  /** The same for each try of a due time, and for no other: for calls that must not happen twice. */
  key: string;
  /** When the function is stopped. */
  deadline: Date;
  /** Whether the job must end: some seconds before the deadline. */
  isOver(): boolean;
  /** What the cut run kept last; undefined at the beginning. */
  cursor: string | undefined;
  /**
   * Keeps where the work is, at most 10,000 characters. A job that ends because `isOver` said so, or is killed, begins
   * there the next time. @throws AppError `job.lost` if another run has taken over: then end
   */
  keep(cursor: string): Promise<void>;
}

/** Scheduled work. */
export interface Job extends Schedule {
  /** Name for operators. @default the name of its function */
  title?: LocalisedText;
  limits?: FunctionLimits;
  /** Gives the deployed function the disk of the storage engine `local`, if there is one. */
  storage?: boolean;
  /** Gives the deployed function the role of the audit log, which alone may write digests and move the anchor. */
  auditsLog?: boolean;
  /** Does the work, never twice at once, and returns fields for the log and the list of jobs. */
  run(run: JobRun): Promise<object>;
}

/** Declares a job; a file in a module's `Jobs/` exports the result as default. */
export const defineJob = (job: Job): Job => job;

/** A job of an enabled module, as the build lists it. */
export interface DeclaredJob extends Schedule {
  /** Name of its function, without service and stage. */
  id: string;
  title: LocalisedText;
}
