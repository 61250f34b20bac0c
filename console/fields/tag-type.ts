/** Colour of a tag for a state that most modules have; others are neutral. */
export function tagType(value: unknown): 'success' | 'info' | 'danger' | 'warning' | 'primary' {
  if (value === true || value === 'enabled' || value === 'ok') return 'success';
  if (value === 'failed') return 'danger';
  if (value === 'refused') return 'warning';
  return value === false || value === 'disabled' ? 'info' : 'primary';
}
