import { keys } from '../../support/keys.ts';
import type { EventScenarios, RequestScenarios } from '../scenario.ts';

/** The service as a whole. */
export const serviceScenarios: RequestScenarios = {
  'system-web-health': ({ guest }) => guest.get('/health'),
  'system-web-openapi-json': ({ guest }) => guest.get('/openapi.json'),
};

/** Jobs and the stream listener. */
export const eventScenarios: EventScenarios = {
  'system-job-clean-up-uploads': () => ({}),
  'system-stream-clear-caches': () => {
    const changed = [keys.config('basics', 'site_name'), keys.admin('01ARZ3NDEKTSV4RRFFQ69G5FAV')];
    return {
      Records: changed.map(({ pk, sk }) => ({ dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } } } })),
    };
  },
};
