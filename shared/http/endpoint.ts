/**
 * The path of a request. API Gateway calls the function of a route. Its generated entry is
 * `endpoint(route, { name, gates: […], … })`, one middy chain:
 *
 * 1. context: request ID, address and locale, into the Lambda context, as `request` (`request-context.ts`).
 * 2. gates (`gates/`) and the route's `prefetch`, all started in one tick, so that their reads leave as one request.
 *    If several refuse, the first in the order of `gates.ts` counts. The query is checked before, for `prefetch`.
 * 3. body: size, then the parser (`body/`). It runs before the gates if a throttle counts by a field of the body.
 * 4. validation of query and body; all issues are reported at once (`input.ts`).
 * 5. the route's handler. If the audit log records the route, the first write takes the entry along (`audit-step.ts`).
 * 6. the answer: the envelope around the result, or around the error of any step, whose texts load on first use
 *    (`answer.ts`).
 *
 * A step refuses by throwing an AppError. Only the answer step renders failures.
 */
import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { settleAll } from '#shared/async/settle-all.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { type Locale, negotiateLocale } from '#shared/i18n/locale.ts';
import { createTexts, type LoadTexts, type MessageLoaders } from '#shared/i18n/texts.ts';
import { captureConsole } from '#shared/log/log.ts';
import { runTraced } from '#shared/log/trace.ts';
import { answerStep } from './answer.ts';
import type { RequestAudit } from './audit-step.ts';
import { bodyStep, checkQuery, validationStep } from './input.ts';
import { type Gate, type Invocation, type RequestContext, type Step, sentFields } from './request-context.ts';
import type { Needs, Route } from './route.ts';

/** The generator writes these into the entry of a function. */
interface EndpointOptions {
  /** Name of the function, for logs. */
  name: string;
  /** In the order of precedence of their refusals. */
  gates: readonly Gate[];
  /** Load the messages of the route's module and of the modules that it requires. */
  messages?: readonly MessageLoaders[];
  /** Largest body, in bytes. @default 64 KiB */
  bodyLimitBytes?: number;
  /** Whether a throttle counts by a field of the body. */
  isCountedByBody?: boolean;
  needs?: Partial<Needs>;
  /** Records the requests. */
  audit?(route: Route): RequestAudit;
}

/**
 * The Lambda handler of a route.
 *
 * @throws EnvironmentError at load time if a variable is missing
 */
export function endpoint(
  route: Route,
  {
    name,
    gates,
    messages = [],
    bodyLimitBytes = 65_536,
    isCountedByBody,
    needs = {},
    audit,
  }: EndpointOptions,
): (event: APIGatewayProxyEventV2, context: Context) => Promise<APIGatewayProxyStructuredResultV2> {
  captureConsole();
  const texts = { zh_CN: createTexts('zh_CN', messages), en: createTexts('en', messages) };
  const body = bodyStep(route, bodyLimitBytes);
  const record = audit?.(route);
  const passGates = [gatesStep(route, gates, needs, record), ...(record ? [record] : [])];
  const chain = middy<APIGatewayProxyEventV2, unknown, Error, Invocation>()
    .use(answerStep(route, name))
    .use(isCountedByBody ? [body, ...passGates] : [...passGates, body])
    .use(validationStep(route))
    .handler<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>((_event, { request }) => {
      const run = () => handle(route, request, needs);
      return record?.run ? record.run(request, run) : run();
    });
  return (event, context) =>
    runTraced(event.headers.traceparent, () =>
      chain(event, { ...context, request: createRequest(route, texts, event, context) }),
    );
}

function createRequest(
  route: Route,
  texts: Record<Locale, LoadTexts>,
  event: APIGatewayProxyEventV2,
  context: Context,
): RequestContext {
  const locale = route.renderFailure ? 'en' : negotiateLocale(event.headers);
  return {
    event,
    requestId: context.awsRequestId,
    startedAt: performance.now(),
    remainingMs: () => context.getRemainingTimeInMillis(),
    address: event.requestContext.http.sourceIp,
    locale,
    texts: texts[locale],
    preferLocale(preferred) {
      this.locale = negotiateLocale(event.headers, preferred);
      this.texts = texts[this.locale];
    },
    issues: [],
    isUnderPressure: false,
    needsRecentFactor: route.recentFactor === true,
    isThrottled: () => route.isThrottled?.(event) ?? true,
    headers: {},
  };
}

function gatesStep(
  route: Route,
  gates: readonly Gate[],
  needs: Partial<Needs>,
  audit: RequestAudit | undefined,
): Step {
  return {
    async before({ context: { request } }) {
      checkQuery(route, request);
      const { rawQueryString } = request.event;
      request.credential = route.readCredential?.({
        body: sentFields(request),
        query: new URLSearchParams(rawQueryString),
      });
      const passing: Promise<unknown>[] = [];
      let isRefused = false;
      for (const gate of gates) {
        try {
          passing.push(gate(request));
        } catch (error) {
          isRefused = true;
          passing.push(Promise.reject(error));
        }
      }
      const reads = isRefused ? [] : [audit?.prefetch?.(), prefetch(route, request, needs)];
      const outcomes: unknown[] = await settleAll([...passing, ...reads]);
      request.added = Object.assign({}, ...outcomes.slice(0, gates.length));
      request.prefetched = outcomes.at(-1);
    },
    async after({ context: { request } }) {
      await settleAll([request.releaseThrottle?.(), request.beside]);
    },
    async onError({ error, context: { request } }) {
      const isKnown = error instanceof AppError;
      await settleAll([isKnown && request.releaseThrottle?.(error.code), request.beside]);
    },
  };
}

async function prefetch(route: Route, context: RequestContext, needs: Partial<Needs>): Promise<unknown> {
  const { event, query, issues } = context;
  return issues.length === 0
    ? route.prefetch?.({ query, sent: sentFields(context), event, ...needs })
    : undefined;
}

function handle(route: Route, context: RequestContext, needs: Partial<Needs>): Promise<unknown> {
  const {
    query,
    body,
    prefetched,
    locale,
    texts,
    requestId: id,
    address,
    event,
    added,
    remainingMs,
  } = context;
  const { isUnderPressure } = context;
  const acceptCredential = async () => context.releaseThrottle?.();
  const request = { id, address, event, remainingMs, isUnderPressure, acceptCredential };
  return route.handler({ query, body, prefetched, locale, texts, request, ...needs, ...added });
}
