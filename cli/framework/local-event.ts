import * as z from 'zod/mini';
import type { HttpApiEvent } from '#functions/stacks/function-map.ts';
import type { FrameworkFunction } from './framework.ts';

const text = z.string();
/** The parts that every route reads of API Gateway's payload format 2.0. */
const gatewayEvent = z.looseObject({
  rawPath: text,
  rawQueryString: text,
  headers: z.record(text, text),
  requestContext: z.looseObject({ http: z.looseObject({ method: text, path: text, sourceIp: text }) }),
  body: z.optional(text),
});
const streamEvent = z.looseObject({ Records: z.array(z.looseObject({})) });

/** The kinds of functions. A job reads nothing of its event. */
const kinds = {
  httpApi: { schema: gatewayEvent, words: 'an event of API Gateway, payload format 2.0' },
  stream: { schema: streamEvent, words: 'an event of a DynamoDB stream' },
  schedule: { schema: z.looseObject({}), words: 'a JSON object' },
};

/**
 * The event of `invoke local`: the given one, or a default. For a route, the default is a gateway event without
 * parameters, for a stream listener no records, for a job an empty object.
 *
 * @param data parsed JSON; text if it cannot be parsed
 * @throws Error in one line if the function takes events of another kind
 */
export function chooseEvent(name: string, { events }: FrameworkFunction, data: unknown): unknown {
  const [source = { schedule: '' }] = events;
  const kind = 'httpApi' in source ? 'httpApi' : 'stream' in source ? 'stream' : 'schedule';
  if (data === undefined || data === '') {
    if ('httpApi' in source) return createGatewayEvent(source.httpApi);
    return kind === 'stream' ? { Records: [] } : {};
  }
  if (typeof data === 'string') assertJson(data);
  const { schema, words } = kinds[kind];
  const [issue] = schema.safeParse(data).error?.issues ?? [];
  if (!issue) return data;
  const path = issue.path.join('.');
  const fault = path ? `"${path}" is missing, or of another type` : 'this is no object';
  throw new Error(`${name} takes ${words}: ${fault}`);
}

function assertJson(data: string): void {
  try {
    JSON.parse(data);
  } catch (error) {
    throw new Error(`The event is not a JSON object: ${Object(error).message}`, { cause: error });
  }
}

function createGatewayEvent(httpApi: HttpApiEvent): object {
  const { method, path } = typeof httpApi === 'string' ? { method: 'GET', path: '/' } : httpApi;
  const routeKey = typeof httpApi === 'string' ? '$default' : `${method} ${path}`;
  const http = { method, path, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'serverless' };
  return {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString: '',
    headers: { accept: '*/*', host: 'localhost' },
    requestContext: { http, routeKey, requestId: 'local', stage: '$default', timeEpoch: Date.now() },
    isBase64Encoded: false,
  };
}
