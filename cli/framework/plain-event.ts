import type { FrameworkFunction } from './framework.ts';

/**
 * An event for a function that is invoked without one: for a route, a request without parameters, as the gateway
 * sends it.
 */
export function createPlainEvent({ events }: FrameworkFunction): object {
  const [event] = events;
  if (!event || !('httpApi' in event)) return {};
  const { httpApi } = event;
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
