/** What the service logs as errors. */
export interface Journal {
  /** Failures that no code of the catalogue describes: each is a defect. */
  takeDefects(): string[];
  /** Whether an invalidation of the cache failed, by the last word of its key; asked once. */
  takeMissed(word: string): boolean;
  close(): void;
}

/** Captures errors that are written to the console, without printing them. */
export function keepJournal(): Journal {
  const { error: print } = console;
  let defects: string[] = [];
  const missed = new Set<string>();
  console.error = (...parts: unknown[]) => {
    const text = parts.map(String).join(' ');
    if (!text.startsWith('{')) return void print(...parts);
    const { event, keys = [] } = JSON.parse(text);
    if (event === 'internal') defects.push(text);
    if (event !== 'cache.invalidate_failed') return;
    for (const key of keys) missed.add(String(key).split(':').at(-1) ?? '');
  };
  return {
    takeDefects() {
      const taken = defects;
      defects = [];
      return taken;
    },
    takeMissed: (word) => missed.delete(word),
    close() {
      console.error = print;
    },
  };
}
