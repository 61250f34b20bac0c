import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { AppError } from '#shared/errors/app-error.ts';

/** The media type of JSON bodies; what is made of it, such as `application/merge-patch+json`, is taken too. */
export const jsonType = 'application/json';

/** @throws AppError `request.unsupported_media_type` for a body of another type */
export function requireJson({ headers }: APIGatewayProxyEventV2): void {
  if (/^application\/(.+\+)?json\s*(;|$)/i.test(headers['content-type'] ?? '')) return;
  throw new AppError('request.unsupported_media_type', { params: { expected: jsonType } });
}
