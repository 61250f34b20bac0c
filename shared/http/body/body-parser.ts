import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { ErrorCode } from '#shared/errors/catalogue.ts';

/** What most parsers refuse with. */
export const parserRefusals = [
  'request.malformed',
  'request.unsupported_media_type',
] as const satisfies ErrorCode[];

/** Makes a value of a body; a route names its own where it takes another than JSON. */
export interface BodyParser {
  /** The media type that it takes, as named in `request.unsupported_media_type` and the API reference. */
  contentType: string;
  /** Largest body that it takes, in bytes. @default what a function receives */
  limitBytes?: number;
  /** Codes that it refuses with. @default those of `parserRefusals` */
  refusals?: readonly ErrorCode[];
  /**
   * @throws AppError `request.unsupported_media_type` for another media type, `request.malformed` for a body
   *   that cannot be read
   */
  parse(event: APIGatewayProxyEventV2): Promise<unknown>;
}
