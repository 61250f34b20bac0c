import type { Record, Use } from './records.ts';

/** Acknowledged writes that are looked at again at the end, the latest ones. */
const keptRecords = 2_000;

/** The results of a soak so far. */
export class Tally {
  uses = 0;
  acknowledged = 0;
  unprepared = 0;
  longestMs = 0;
  readonly problems: string[] = [];
  readonly records: Record[] = [];
  readonly halfDone: Record[] = [];
  readonly #codes = new Map<string, number>();

  add(use: Use | undefined): void {
    if (!use) {
      this.unprepared += 1;
      return;
    }
    this.uses += 1;
    this.longestMs = Math.max(this.longestMs, use.durationMs);
    for (const code of use.codes) this.#codes.set(code, (this.#codes.get(code) ?? 0) + 1);
    if (use.problem) this.problems.push(use.problem);
    if (use.isHalfDone && use.record) this.halfDone.push(use.record);
    if (!use.isAcknowledged || !use.record) return;
    this.acknowledged += 1;
    this.records.push(use.record);
    if (this.records.length > keptRecords) this.records.shift();
  }

  /** One line. */
  describe(): string {
    const codes = [...this.#codes].sort(([, a], [, b]) => b - a).map(([code, count]) => `${code} ${count}`);
    const { uses, acknowledged, unprepared, problems } = this;
    return (
      `${uses} uses, ${acknowledged} acknowledged, ${unprepared} not begun, ${problems.length} problems; ` +
      `longest ${Math.round(this.longestMs)} ms; ${codes.join(', ')}`
    );
  }
}
