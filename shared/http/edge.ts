import { createHash, timingSafeEqual } from 'node:crypto';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { splitList } from '#shared/config/environment.ts';

/** A function that answers requests of the HTTP API. */
type Handler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

const digest = (secret: string): Buffer => createHash('sha256').update(secret).digest();
const split = (secrets: string): Buffer[] => splitList(secrets).map(digest);

/**
 * Puts a function behind CloudFront (docs/decisions/0060-edge.md): refuses what did not come through it, and gives the
 * function the address of the visitor instead of that of CloudFront.
 *
 * @param secrets of the origin, separated by commas to change them; with an empty text all requests are refused. Undefined on
 * a local server, which has no CloudFront
 */
export function behindEdge(handler: Handler, secrets: string | undefined): Handler {
  if (secrets === undefined) return handler;
  const known = split(secrets);
  return async (event, context) => {
    const { 'x-origin-secret': sent = '', 'x-visitor-address': address, ...headers } = event.headers;
    const isKnown = split(sent).some((each) => known.some((own) => timingSafeEqual(each, own)));
    // CloudFront always says the address. Without it, all visitors would count as one.
    if (!isKnown || !address) return { statusCode: 403, body: 'Forbidden' };
    const { http } = event.requestContext;
    const requestContext = { ...event.requestContext, http: { ...http, sourceIp: address } };
    return handler({ ...event, headers, requestContext }, context);
  };
}
