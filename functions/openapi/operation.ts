import type { Route } from '#shared/http/route.ts';
import type { Locale } from '#shared/i18n/locale.ts';
import type { FoundRoute } from '../model.ts';
import { describeAnswers } from './answers.ts';
import { describeRoute } from './description.ts';
import { describeFailures } from './failures.ts';
import type { SchemaWriter } from './json-schema.ts';
import { describeParameters } from './parameters.ts';
import { describeRequestBody } from './request-body.ts';
import type { Json } from './types.ts';

const folders = { admin: 'Admin', api: 'Api', web: 'Web' } as const;

/** The group that a route stands in: its module's, by the folder of its area. */
export const nameTag = ({ module, route }: FoundRoute): string => `${module}/${folders[route.area]}`;

/** One method of a path. */
export function describeOperation(
  found: FoundRoute,
  method: string,
  locale: Locale,
  writer: SchemaWriter,
): Json {
  const { route, path, functionName } = found;
  const { summary } = route;
  const responses = joinResponses(
    describeAnswers(route, locale, writer),
    describeFailures(route, locale, writer),
  );
  const parameters = describeParameters(route, path, writer);
  const requestBody = describeRequestBody(route, locale, writer);
  return {
    operationId: method === 'HEAD' ? `${functionName}-head` : functionName,
    tags: [nameTag(found)],
    summary: summary[locale],
    description: describeRoute(route, locale),
    'x-summary-zh_CN': summary.zh_CN,
    'x-summary-en': summary.en,
    security: listSecurity(route),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    // Answers to HEAD are those to GET, without their bodies.
    responses,
  };
}

/** A status that stands for an answer and a failure alike has the schemas of both. */
function joinResponses(answers: Json, failures: Json): Json {
  const joined = Object.entries(failures).map(([status, failure]) => {
    const answer = answers[status];
    const options = [answer, failure].map(findSchema).filter((schema) => schema !== undefined);
    if (!answer || options.length < 2) return [status, failure];
    const content = { 'application/json': { schema: { anyOf: options } } };
    return [status, { ...Object(answer), content }];
  });
  return { ...answers, ...Object.fromEntries(joined) };
}

/** The schema of a response's JSON, or a reference to it. */
function findSchema(response: unknown): unknown {
  const { $ref, content } = Object(response);
  if ($ref) return { $ref: `${$ref}/content/application~1json/schema` };
  return content?.['application/json']?.schema;
}

/** Who may call: each entry is one way; an empty one stands for nobody in particular. */
function listSecurity({ area, access, middleware }: Route): Json[] {
  if (middleware.includes('mcp.auth')) return [{ adminToken: [] }, { apiToken: [] }];
  if (middleware.includes('api.try-auth')) return [{}, { userToken: [] }];
  if (access === 'open') return [];
  return [area === 'admin' ? { adminToken: [] } : { userToken: [] }];
}
