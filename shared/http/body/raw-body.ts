import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** Size of a body as the client sent it, in bytes. */
export function measureBody({ body, isBase64Encoded }: APIGatewayProxyEventV2): number {
  // The gateway leaves an absent body out, serverless-offline sends null.
  return body ? Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8') : 0;
}

/** A body as text; bytes that are not UTF-8 become U+FFFD. */
export function readBody({ body, isBase64Encoded }: APIGatewayProxyEventV2): string {
  return body ? Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8').toString() : '';
}
