import type { Plan } from './changes.ts';
import type { ConfigFile } from './format.ts';
import { planDictionaries } from './plan-dictionaries.ts';
import { planRoles } from './plan-roles.ts';
import { planSettings } from './plan-settings.ts';
import type { Stage } from './stage.ts';

export interface PlanOptions {
  /** Whether to remove what the file does not have. */
  prune: boolean;
  /** Values that records use, by type key. Only those that the file does not have matter. */
  used: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Compares a stage with a file. Reads and writes nothing; `check-plan.ts` asks the stage about the rest. */
export function planConfig(stage: Stage, file: ConfigFile, options: PlanOptions): Plan {
  const parts = [planDictionaries, planRoles, planSettings].map((plan) => plan(stage, file, options));
  return {
    changes: parts.flatMap(({ changes }) => changes),
    left: parts.flatMap(({ left }) => left),
    faults: parts.flatMap(({ faults }) => faults),
  };
}
