import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** Largest body that is looked into before the gates, in bytes. */
const peekLimitBytes = 16 * 1024;

/**
 * The fields of a small JSON body, for counting by one of them before the gates have passed. What is larger,
 * unreadable or no object has none; the steps after the gates refuse it.
 */
export function peekBody({ body, isBase64Encoded }: APIGatewayProxyEventV2): Record<string, unknown> {
  if (!body || body.length > peekLimitBytes * (isBase64Encoded ? 4 / 3 : 1)) return {};
  try {
    const text = isBase64Encoded ? Buffer.from(body, 'base64').toString() : body;
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
