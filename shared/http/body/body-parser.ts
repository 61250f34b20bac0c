import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** Makes a value of a body; a route names its own where it takes another than JSON. */
export interface BodyParser {
  /** The media type that it takes, as named in `request.unsupported_media_type` and the API reference. */
  contentType: string;
  /** Largest body that it takes, in bytes. @default what a function receives */
  limitBytes?: number;
  /**
   * @throws AppError `request.unsupported_media_type` for another media type, `request.malformed` for a body
   *   that cannot be read
   */
  parse(event: APIGatewayProxyEventV2): Promise<unknown>;
}
