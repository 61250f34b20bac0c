import type { Action } from '#functions/console/description.ts';
import { call, send } from './api.ts';

/**
 * Calls a route as its description says: values go to the query or the body, a form with files as such.
 *
 * @returns `data` of the answer
 * @throws ApiError
 */
export async function callAction(action: Action, values: Record<string, unknown>): Promise<unknown> {
  const { method, path, bodyType } = action;
  if (bodyType === 'application/json') return call(method, path, values);
  const body = new FormData();
  for (const [name, value] of Object.entries(values)) {
    if (value instanceof Blob) body.append(name, value);
    else if (value !== undefined && value !== null) body.append(name, String(value));
  }
  const response = await send(path, { method, body });
  return (await response.json()).data;
}
