import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** Largest body that is looked into before the gates, in bytes; where one is counted by, none is larger. */
export const peekLimitBytes = 16 * 1024;

/** Size of a body as the client sent it, in bytes. */
export function measureBody({ body, isBase64Encoded }: APIGatewayProxyEventV2): number {
  // The gateway leaves an absent body out, serverless-offline sends null.
  return body ? Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8') : 0;
}

/** A text field that stands at the beginning of a form, for counting by it; undefined where there is none. */
export function peekFormField(
  { body, isBase64Encoded }: APIGatewayProxyEventV2,
  name: string,
): string | undefined {
  // Three bytes in four characters: a cut between two groups decodes well.
  const head = body?.slice(0, isBase64Encoded ? Math.ceil(peekLimitBytes / 3) * 4 : peekLimitBytes) ?? '';
  const text = isBase64Encoded ? Buffer.from(head, 'base64').toString('latin1') : head;
  return new RegExp(`name="?${name}"?\\r\\n(?:[^\\r\\n]+\\r\\n)*\\r\\n([^\\r\\n]*)\\r\\n`).exec(text)?.[1];
}

/**
 * The fields of a small JSON body, for counting by one of them before the gates have passed. What is larger,
 * unreadable or no object has none; the steps after the gates refuse it.
 */
export function peekBody(event: APIGatewayProxyEventV2): Record<string, unknown> {
  const { body, isBase64Encoded } = event;
  if (!body || measureBody(event) > peekLimitBytes) return {};
  try {
    const text = isBase64Encoded ? Buffer.from(body, 'base64').toString() : body;
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
