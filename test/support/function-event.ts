import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** A request as a client sends it. */
export interface FunctionRequest {
  method: string;
  /** As it is sent, percent-encoded. */
  path: string;
  /** As it is sent, without the question mark. */
  query?: string;
  /** Names in lower case. */
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Whether the body travels in base64. @default as its content type has it */
  base64?: boolean;
  /** @default '203.0.113.7' */
  address?: string;
}

/** Content types that an HTTP API passes as text; all others are in base64. */
const textTypes = /^(text\/|application\/(json|xml|javascript)\b|.*\+(json|xml)\b)/;

/**
 * The event that an HTTP API makes of a request, payload 2.0.
 *
 * @param pathParameters values of the variables in the route's path, decoded
 */
export function createEvent(
  request: FunctionRequest,
  pathParameters?: Record<string, string>,
): APIGatewayProxyEventV2 {
  const { method, path, query = '', body, address = '203.0.113.7' } = request;
  const length = body === undefined ? undefined : String(Buffer.byteLength(body));
  const headers: Record<string, string> = {
    host: 'api.example.com',
    ...(length && { 'content-length': length }),
    ...request.headers,
  };
  const isText = !(request.base64 ?? !textTypes.test(headers['content-type'] ?? 'text/plain'));
  const parameters = new URLSearchParams(query);
  return {
    version: '2.0',
    routeKey: `${method} ${path}`,
    rawPath: path,
    rawQueryString: query,
    headers,
    ...(pathParameters && { pathParameters }),
    ...(query && {
      queryStringParameters: Object.fromEntries(
        [...new Set(parameters.keys())].map((name) => [name, parameters.getAll(name).join(',')]),
      ),
    }),
    requestContext: {
      accountId: '111122223333',
      apiId: 'abcdefghij',
      domainName: 'api.example.com',
      domainPrefix: 'api',
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: address, userAgent: 'test' },
      requestId: randomUUID(),
      routeKey: `${method} ${path}`,
      stage: '$default',
      time: new Date().toISOString(),
      timeEpoch: Date.now(),
    },
    ...(body !== undefined && { body: Buffer.from(body).toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body !== undefined && !isText,
  };
}
