/** Work that is done by the clock. */
export interface Job {
  /** How often, as AWS writes it: `rate(15 minutes)`. */
  schedule: string;
  limits?: { timeoutSeconds?: number; memoryMb?: number };
  /** Gives the deployed function the disk of the storage engine `local`, where there is one. */
  storage?: boolean;
  /**
   * Does the work, which may be run at any time, also twice at once.
   *
   * @param isOver says when to end, some seconds before the function is stopped
   * @returns what it did, for the log
   */
  run(isOver: () => boolean): Promise<object>;
}

/** Declares a job; a file in a module's `Jobs/` exports the result as default. */
export function defineJob(job: Job): Job {
  return job;
}
