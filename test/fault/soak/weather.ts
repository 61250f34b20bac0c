import { type Decide, type FaultKind, faultKinds, type Store } from '../wire/fault.ts';
import { pick } from '../world/random.ts';

/** A period with a fault of a store. */
interface Period {
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

/** Shortest and longest period, in milliseconds. */
const periodMs = { from: 200, to: 4_000 };
/** Share of the periods that are fine. */
const fineShare = 0.5;

/** Each store alternates between good periods and periods with one kind of fault. */
export function createWeather(random: () => number): Weather {
  const periods = new Map<Store, Period>();
  const met = new Map<string, number>();
  let isOver = false;

  function next(now: number): Period {
    const kind = random() < fineShare ? undefined : pick(faultKinds, random);
    const lengthMs = periodMs.from + random() * (periodMs.to - periodMs.from);
    return { kind, share: pick([0.1, 0.5, 1], random), until: now + lengthMs };
  }

  function periodOf(store: Store): Period {
    const now = Date.now();
    const current = periods.get(store);
    if (current && current.until > now) return current;
    const period = next(now);
    periods.set(store, period);
    return period;
  }

  return {
    met,
    decide({ store, run }) {
      // Requests that only prepare or check belong to no run.
      if (isOver || run === undefined) return undefined;
      const { kind, share } = periodOf(store);
      if (!kind || random() >= share) return undefined;
      met.set(kind, (met.get(kind) ?? 0) + 1);
      return kind;
    },
    clear() {
      isOver = true;
    },
  };
}
