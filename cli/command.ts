/** A command of this CLI. */
export interface Command {
  /** Arguments as `--help` shows them. */
  usage: string;
  /** One line for `--help`. */
  summary: string;
  run(args: readonly string[]): Promise<void>;
}
