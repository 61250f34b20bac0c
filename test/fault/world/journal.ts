/** What the service logs as errors. */
export interface Journal {
  /** Failures that no code of the catalogue describes: each is a defect. */
  takeDefects(): string[];
  close(): void;
}

/** Keeps what goes to the console as an error, and shows nothing of it. */
export function keepJournal(): Journal {
  const { error: print } = console;
  let defects: string[] = [];
  console.error = (...parts: unknown[]) => {
    const text = parts.map(String).join(' ');
    if (!text.startsWith('{')) print(...parts);
    else if (JSON.parse(text).event === 'internal') defects.push(text);
  };
  return {
    takeDefects() {
      const taken = defects;
      defects = [];
      return taken;
    },
    close() {
      console.error = print;
    },
  };
}
