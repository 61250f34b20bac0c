import type { Field } from '#functions/console/description.ts';
import { kindOf } from '../../fields/kinds.ts';

interface RefusedField {
  path: string;
  message: string;
}

/** A refusal's `errors`, at the inputs that they are about. */
export interface PlacedErrors {
  /** Messages by path of the input: `items.0.name`. */
  fields: Map<string, string>;
  /** Those without an input. */
  others: RefusedField[];
}

/**
 * Finds the input of each error. The path begins with the part of the request: `body.items.0.name`. An error below an
 * input belongs to that input.
 *
 * @param fields those that the form shows
 */
export function placeErrors(errors: readonly RefusedField[], fields: readonly Field[]): PlacedErrors {
  const placed: PlacedErrors = { fields: new Map(), others: [] };
  for (const error of errors) {
    const [, ...steps] = error.path.split('.');
    const path = findInput(steps, fields).join('.');
    if (path === '') placed.others.push(error);
    else {
      const former = placed.fields.get(path);
      placed.fields.set(path, former === undefined ? error.message : `${former} ${error.message}`);
    }
  }
  return placed;
}

/** The part of a path that has an input. */
function findInput(steps: readonly string[], fields: readonly Field[]): string[] {
  const [name = '', ...rest] = steps;
  return findBelow(
    name,
    rest,
    fields.find((each) => each.name === name),
  );
}

function findBelow(step: string, rest: readonly string[], field: Field | undefined): string[] {
  if (!field) return [];
  const [next = '', ...others] = rest;
  return [step, ...findBelow(next, others, kindOf(field).model.member?.(field, next))];
}
