import type { Manifest } from '#functions/model.ts';

/** Tells what discovery found odd and let pass. */
export function printWarnings({ warnings }: Manifest): void {
  for (const warning of warnings) console.warn(`Warning: ${warning}`);
}
