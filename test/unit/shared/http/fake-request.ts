import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { endpoint } from '#shared/http/endpoint.ts';
import { bodyLimitOf } from '#shared/http/gates.ts';
import type { Gate } from '#shared/http/request-context.ts';
import type { Route } from '#shared/http/route.ts';
import { countsByBody } from '#shared/throttle/throttles.ts';
import { createEvent as createFunctionEvent } from '../../../support/function-event.ts';
import { throttlesOf } from '../../functions/fixtures.ts';

export interface FakeRequest {
  method?: 'GET' | 'POST' | 'PUT';
  path?: string;
  /** The raw query string. */
  query?: string;
  /** Names in lower case, like those of the gateway. */
  headers?: Record<string, string>;
  /** An object is sent as JSON with its content type, a text unchanged. */
  body?: string | object;
  isBase64Encoded?: boolean;
  /** The client's, as the gateway sees it. @default '192.0.2.1' */
  address?: string;
}

/** An event of an HTTP API, payload format 2.0. */
export function createEvent({ body, isBase64Encoded = false, ...rest }: FakeRequest = {}) {
  const isJson = typeof body === 'object';
  const text = isJson ? JSON.stringify(body) : body;
  const headers = { ...(isJson && { 'content-type': 'application/json' }), ...rest.headers };
  const request = { method: 'GET', path: '/test', address: '192.0.2.1', ...rest, headers };
  return { ...createFunctionEvent({ ...request, body: text, base64: false }), isBase64Encoded };
}

export function createContext(awsRequestId: string = randomUUID()): Context {
  return {
    awsRequestId,
    callbackWaitsForEmptyEventLoop: false,
    functionName: 'test',
    functionVersion: '1',
    invokedFunctionArn: 'arn',
    memoryLimitInMB: '512',
    logGroupName: 'group',
    logStreamName: 'stream',
    getRemainingTimeInMillis: () => 10_000,
    done: () => {},
    fail: () => {},
    succeed: () => {},
  };
}

export interface Answer {
  status: number | undefined;
  headers: Record<string, unknown>;
  /** The parsed body; undefined without a body. */
  json: Envelope | undefined;
}

interface Envelope {
  code: string;
  message: string;
  data: unknown;
  request_id: string;
  errors?: { path: string; message: string }[];
}

export function toAnswer({ statusCode, headers, body }: APIGatewayProxyStructuredResultV2): Answer {
  return { status: statusCode, headers: headers ?? {}, json: body ? JSON.parse(body) : undefined };
}

/** Sends one request through the chain of a route, with the body limits of its entry. */
export async function call(
  route: Route,
  request: FakeRequest = {},
  gates: readonly Gate[] = [],
): Promise<Answer> {
  const throttles = throttlesOf(route).map(({ throttle }) => throttle);
  const options = {
    bodyLimitBytes: bodyLimitOf(route, throttles),
    isCountedByBody: throttles.some(countsByBody),
  };
  const handler = endpoint(route, { name: 'test', gates, ...options });
  return toAnswer(await handler(createEvent(request), createContext()));
}
