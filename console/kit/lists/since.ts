/** Days that a list is often wanted of, counted with today. */
export const sinceDays = [1, 7, 30] as const;

/** The begin of the operator's day, in UTC. @param days counted with today */
export function beginOfDays(days: number, now = new Date()): string {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - (days - 1)).toISOString();
}
