import awsLambdaFastify from '@fastify/aws-lambda';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { envelope } from '../jobs/envelope.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Added by the adapter. */
    awsLambda: { context: { awsRequestId: string } };
  }
}

/** Data in the envelope; errors with a `statusCode` Fastify answers by itself. */
export const wrap = (request: FastifyRequest, data: object) =>
  envelope(data, request.awsLambda.context.awsRequestId);

/** The handler of an application. */
export const serve = (app: FastifyInstance) =>
  // Keys come in one parameter with commas.
  awsLambdaFastify(app, { parseCommaSeparatedQueryParams: false });
