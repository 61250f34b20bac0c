import { type Context, Hono } from 'hono';
import type { LambdaContext } from 'hono/aws-lambda';
import { envelope } from '../jobs/envelope.ts';
import { Refusal } from '../jobs/refusal.ts';

type Bindings = { lambdaContext: LambdaContext };

export function createApp() {
  const app = new Hono<{ Bindings: Bindings }>();
  app.onError((error, c) => {
    const status = error instanceof Refusal ? error.statusCode : 500;
    return Response.json({ message: error.message }, { status, headers: c.res.headers });
  });
  return app;
}

/** Answers in the envelope. */
export const send = (c: Context<{ Bindings: Bindings }>, data: object) =>
  c.json(envelope(data, c.env.lambdaContext.awsRequestId));
