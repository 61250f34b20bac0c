const windowMs = 5000;

/** Measures how fast bytes leave, over the last five seconds. */
export class SpeedMeter {
  #samples: { atMs: number; bytes: number }[] = [];

  /** @param sentBytes in all; fewer than before begin a new measurement */
  add(sentBytes: number, atMs: number): void {
    const last = this.#samples.at(-1);
    if (last && sentBytes < last.bytes) this.#samples = [];
    this.#samples.push({ atMs, bytes: sentBytes });
    while (this.#samples.length > 2 && atMs - (this.#samples[1]?.atMs ?? atMs) > windowMs)
      this.#samples.shift();
  }

  clear(): void {
    this.#samples = [];
  }

  /** 0 while it is not known. */
  get bytesPerSecond(): number {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    if (!first || !last || last.atMs <= first.atMs) return 0;
    return ((last.bytes - first.bytes) * 1000) / (last.atMs - first.atMs);
  }
}
