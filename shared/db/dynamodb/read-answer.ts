import type { HttpResponse } from '#shared/http-client/response-reader.ts';
import { decodeOutput } from './attributes.ts';
import { DynamoDbError, UnreachableError } from './dynamodb-error.ts';

/**
 * The output that a response carries.
 *
 * @throws DynamoDbError where it tells of an error, UnreachableError where it is none of DynamoDB's
 */
export function readAnswer({ status, body }: HttpResponse): Record<string, unknown> {
  const fields = parseObject(body.toString(), status);
  if (status === 200) return decodeOutput(fields);
  const type = readText(fields.__type);
  if (type === '') throw new UnreachableError(`status ${status} without the type of an error`);
  const name = type.slice(type.indexOf('#') + 1);
  const reasons = Array.isArray(fields.CancellationReasons) ? fields.CancellationReasons : [];
  throw new DynamoDbError(
    name,
    readText(fields.message ?? fields.Message),
    status,
    reasons.map((reason) => readText(reason?.Code) || 'None'),
  );
}

function parseObject(text: string, status: number): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null) return parsed as Record<string, unknown>;
  } catch {
    // Told below.
  }
  throw new UnreachableError(`status ${status} with a body that is no object of JSON`);
}

const readText = (value: unknown): string => (typeof value === 'string' ? value : '');
