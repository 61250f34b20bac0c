import type middy from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { ErrorCode } from '#shared/errors/catalogue.ts';

/** What most parsers refuse with. */
export const parserRefusals = [
  'request.malformed',
  'request.unsupported_media_type',
] as const satisfies ErrorCode[];

/** Reads a body; a route names its parser if it does not take JSON. */
export interface BodyParser {
  /** The media type that it takes, as named in `request.unsupported_media_type` and the API reference. */
  contentType: string;
  /** Largest body that it takes, in bytes. @default the limit of the route's kind */
  limitBytes?: number;
  /** Codes that it refuses with. @default those of `parserRefusals` */
  refusals?: readonly ErrorCode[];
  /**
   * Middleware that puts the parsed body into the exchange. It throws `request.unsupported_media_type` for
   * another media type, and `request.malformed` for a body that cannot be read.
   */
  steps: readonly middy.MiddlewareObj<APIGatewayProxyEventV2, unknown>[];
}
