import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { captureConsole } from '#shared/log/log.ts';
import { createRegistry } from '#shared/tools/registry.ts';
import { isCountedByBody } from './body/body-limit.ts';
import { type EndpointOptions, type Exchange, exchangeOf } from './exchange.ts';
import type { ApiDocuments } from './reference.ts';
import type { Route } from './route.ts';
import { bodySteps, holdRefusal } from './steps/body.ts';
import { contextStep } from './steps/context.ts';
import { gatesStep } from './steps/gates.ts';
import { outcomeStep } from './steps/outcome.ts';
import { validationStep } from './steps/validation.ts';

const noTools = createRegistry([], []);
const noDocument = () => Promise.reject(new Error('the route does not say documents: true'));
const noDocuments: ApiDocuments = { zh_CN: noDocument, en: noDocument };

/**
 * The Lambda handler of a route: context → gates → body → validation → handler → envelope. The body comes before
 * the gates if a throttle counts by it. A step refuses by throwing; the outcome step renders every failure.
 *
 * @throws EnvironmentError at load time when a variable is missing
 */
export function endpoint(
  route: Route,
  options: EndpointOptions,
): (event: APIGatewayProxyEventV2, context: Context) => Promise<APIGatewayProxyStructuredResultV2> {
  captureConsole();
  const body = bodySteps(route);
  const gates = gatesStep(options.gates);
  return middy<APIGatewayProxyEventV2, unknown>()
    .use(contextStep(route, options))
    .use(outcomeStep())
    .use(isCountedByBody(route) ? [holdRefusal(body), gates] : [gates, ...body])
    .use(validationStep())
    .handler((event) => invoke(exchangeOf({ event }), options));
}

function invoke(exchange: Exchange, options: EndpointOptions): Promise<unknown> {
  const { modules = [], tools = noTools, documents = noDocuments } = options;
  const { route, query, body, prefetched, locale, t, requestId, address, event, caller, remainingMs } =
    exchange;
  const request = { id: requestId, address, event, remainingMs };
  const given = { modules, tools, documents };
  return route.handler({ query, body, prefetched, locale, t, request, ...given, ...caller });
}
