import type { FunctionRequest } from '../support/function-event.ts';
import type { Kit } from './kit.ts';

/** Prepares what a request needs, and returns the request; called for every measurement. */
export type RequestScenario = (kit: Kit) => Promise<FunctionRequest> | FunctionRequest;
/** The same for a function that no route calls; answers its event. */
export type EventScenario = (kit: Kit) => Promise<unknown> | unknown;

/** Scenarios by the name of the function; a second one of the same function adds a word after a space. */
export type RequestScenarios = Record<string, RequestScenario>;
export type EventScenarios = Record<string, EventScenario>;
