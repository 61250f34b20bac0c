import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** How much of a form is searched for a field, in bytes. */
const peekLimitBytes = 16 * 1024;

/** Size of a body as the client sent it, in bytes. */
export function measureBody({ body, isBase64Encoded }: APIGatewayProxyEventV2): number {
  // The gateway leaves an absent body out, serverless-offline sends null.
  return body ? Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8') : 0;
}

/** A body as text; bytes that are not UTF-8 become U+FFFD. */
export function readBody({ body, isBase64Encoded }: APIGatewayProxyEventV2): string {
  return body ? Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8').toString() : '';
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
