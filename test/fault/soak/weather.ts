import { type Decide, type FaultKind, faultKinds, type Store } from '../wire/fault.ts';
import { pick } from '../world/random.ts';

/** A period with a fault of a store. */
interface Spell {
  kind: FaultKind | undefined;
  /** Share of the affected requests. */
  share: number;
  /** Unix milliseconds. */
  until: number;
}

/** Faults that come and go. */
export interface Weather {
  decide: Decide;
  /** How often each kind was met so far. */
  met: Map<string, number>;
  /** Ends all faults. */
  clear(): void;
}

/** Shortest and longest spell, in milliseconds. */
const spellMs = { from: 200, to: 4_000 };
/** Share of the spells that are fine. */
const fineShare = 0.5;

/** Each store alternates between good periods and periods with one kind of fault. */
export function createWeather(random: () => number): Weather {
  const spells = new Map<Store, Spell>();
  const met = new Map<string, number>();
  let isOver = false;

  function next(now: number): Spell {
    const kind = random() < fineShare ? undefined : pick(faultKinds, random);
    const lengthMs = spellMs.from + random() * (spellMs.to - spellMs.from);
    return { kind, share: pick([0.1, 0.5, 1], random), until: now + lengthMs };
  }

  function spellOf(store: Store): Spell {
    const now = Date.now();
    const current = spells.get(store);
    if (current && current.until > now) return current;
    const spell = next(now);
    spells.set(store, spell);
    return spell;
  }

  return {
    met,
    decide({ store, run }) {
      // Requests that only prepare or check belong to no run.
      if (isOver || run === undefined) return undefined;
      const { kind, share } = spellOf(store);
      if (!kind || random() >= share) return undefined;
      met.set(kind, (met.get(kind) ?? 0) + 1);
      return kind;
    },
    clear() {
      isOver = true;
    },
  };
}
