import type { Plan, PlanOptions } from './changes.ts';
import type { ConfigFile } from './format.ts';
import { planDictionaries } from './plan-dictionaries.ts';
import { planRoles } from './plan-roles.ts';
import { planSettings } from './plan-settings.ts';
import type { Stage } from './stage.ts';

/** Compares a stage with a file. Reads and writes nothing; `prepare.ts` asks the stage about the rest. */
export function planConfig(stage: Stage, file: ConfigFile, options: PlanOptions): Plan {
  const parts = [planDictionaries, planRoles, planSettings].map((plan) => plan(stage, file, options));
  return {
    changes: parts.flatMap(({ changes }) => changes),
    left: parts.flatMap(({ left }) => left),
    faults: parts.flatMap(({ faults }) => faults),
  };
}
