/**
 * What a paste lost. `local`: pictures on the operator's machine. `remote`: pictures that stay on another site. `link`:
 * links to places within the source, or that run a script.
 */
export type LostKind = 'local' | 'remote' | 'link' | 'frame' | 'media' | 'form' | 'drawing' | 'colour';

/** Counts what is lost. */
export class Losses {
  readonly #counts = new Map<LostKind, number>();

  add(kind: LostKind): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
  }
  list(): { kind: LostKind; count: number }[] {
    return [...this.#counts].map(([kind, count]) => ({ kind, count }));
  }
}
