import type { FunctionAnswer, Functions } from '../../support/functions.ts';
import type { Caller, HostileRequest } from '../request.ts';
import { startAssistant } from './assistant.ts';
import { createPrincipals, type Principals } from './principals.ts';
import { addRecords, restoreCategories } from './records.ts';
import { restoreSettings } from './settings.ts';
import { Things } from './things.ts';

/** A service with principals, records and settings, and the names that requests may use. */
export interface World {
  things: Things;
  /** The `authorization` header of a caller; undefined for a guest. */
  authorizationOf(caller: Caller): string | undefined;
  /** Stores the names of things in an answer. */
  notice(path: string, answer: FunctionAnswer): void;
  /** Whether a save has gone through since the last restoration. */
  areSettingsChanged(): boolean;
  /** Restores settings and principals, so that the next requests still succeed. */
  restore(): Promise<void>;
  stop(): Promise<void>;
}

export async function createWorld(functions: Functions): Promise<World> {
  const things = new Things(functions.dataDir);
  const principals: Principals = await createPrincipals(things);
  const assistant = await startAssistant();
  await restoreSettings(assistant.baseUrl);
  await addRecords(functions, principals.authorizationOf('admin'), things);
  let areSettingsChanged = false;
  return {
    things,
    authorizationOf: principals.authorizationOf,
    notice(path, answer) {
      things.learn(path, answer);
      areSettingsChanged ||= path.endsWith('/config/save') && answer.status === 200;
    },
    areSettingsChanged: () => areSettingsChanged,
    async restore() {
      areSettingsChanged = false;
      await restoreSettings(assistant.baseUrl);
      await restoreCategories();
      await principals.restore();
    },
    stop: () => assistant.stop(),
  };
}

/** Whether the caller sends its own login. */
export const isOwnLogin = ({ caller, headers }: HostileRequest): boolean =>
  caller !== 'guest' && headers.authorization === undefined;
