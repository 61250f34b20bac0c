import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** A request as it reaches a function: the gateway's event, and the used part of the context. */
export interface Invocation {
  event: APIGatewayProxyEventV2;
  context: { awsRequestId: string; functionName: string };
}

const requestId = '7f3c2b1e-5d0a-4b7e-9c61-2f6f0d9a8e44';

/**
 * A request as API Gateway passes it: an HTTP API with payload 2.0, recorded from a browser's request.
 *
 * @param token bearer token; none for an open route
 * @param body JSON, which makes it a POST; otherwise it is a GET
 */
export function createInvocation(
  path: string,
  query: Record<string, string>,
  token?: string,
  body?: string,
): Invocation {
  const method = body === undefined ? 'GET' : 'POST';
  const event: APIGatewayProxyEventV2 = {
    version: '2.0',
    routeKey: `${method} ${path}`,
    rawPath: path,
    rawQueryString: new URLSearchParams(query).toString(),
    headers: {
      accept: 'application/json, text/plain, */*',
      'accept-encoding': 'gzip, deflate, br, zstd',
      'accept-language': 'zh-CN,zh;q=0.9,en;q=0.8',
      ...(token && { authorization: `Bearer ${token}` }),
      'content-length': String(Buffer.byteLength(body ?? '')),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      host: 'api.example.com',
      origin: 'https://admin.example.com',
      referer: 'https://admin.example.com/',
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0',
      'x-amzn-trace-id': 'Root=1-68e0c0de-1a2b3c4d5e6f708192a3b4c5',
      'x-forwarded-for': '203.0.113.7',
      'x-forwarded-port': '443',
      'x-forwarded-proto': 'https',
    },
    queryStringParameters: query,
    requestContext: {
      accountId: '123456789012',
      apiId: 'a1b2c3d4e5',
      domainName: 'api.example.com',
      domainPrefix: 'api',
      http: {
        method,
        path,
        protocol: 'HTTP/1.1',
        sourceIp: '203.0.113.7',
        userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0',
      },
      requestId: 'dGVzdGluZy0xMjM=',
      routeKey: `${method} ${path}`,
      stage: '$default',
      time: '01/Oct/2025:08:00:00 +0000',
      timeEpoch: 1_759_305_600_000,
    },
    ...(body !== undefined && { body }),
    isBase64Encoded: false,
  };
  return { event, context: { awsRequestId: requestId, functionName: 'bench' } };
}
