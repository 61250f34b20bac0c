/** How to run an engine on this machine. */
export interface EngineCommand {
  readonly command: string;
  /** @param port - The TCP port to listen on. @param dataDir - An existing folder of the engine's own. */
  args(port: number, dataDir: string): string[];
  /** Longest wait for the first answer, in milliseconds. */
  readonly readyTimeoutMs: number;
  /** Prepares its data once it answers. @param dataDir - As in {@link args}. */
  prepare?(dataDir: string): void;
}
