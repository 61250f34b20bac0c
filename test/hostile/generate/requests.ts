import fc from 'fast-check';
import { type Caller, callers, type HostileRequest } from '../request.ts';
import { formBody } from './form-body.ts';
import { fromSchema, type JsonSchema } from './from-schema.ts';
import { oddHeaders, plainHeaders } from './headers.ts';
import { jsonBody } from './json-body.ts';
import { knownFields } from './known.ts';
import { knownBodies } from './known-bodies.ts';
import { textForm } from './oauth-bodies.ts';
import { storagePath, strayRequest } from './paths.ts';
import { type Parameter, queryOf } from './query.ts';

/** An operation of an OpenAPI document. */
interface Operation {
  method: string;
  path: string;
  parameters: Parameter[];
  /** Content by media type. */
  content: Record<string, { schema: JsonSchema }>;
  security: object[];
}

/** Requests for every operation of a document, and for unknown ones. */
export function anyRequest(document: object): fc.Arbitrary<HostileRequest> {
  const operations = listOperations(document);
  const strays = strayRequest(operations.map(({ path }) => path)).map(
    (stray): HostileRequest => ({ ...stray, headers: {}, caller: 'guest' }),
  );
  return fc.oneof(
    { weight: 3, arbitrary: withOddHeaders(strays) },
    ...operations.map((each) => ({ weight: 2, arbitrary: requestOf(each) })),
  );
}

/** The operations of a document, as method and path of its template. */
export function listOperations(document: object): Operation[] {
  const paths: [string, object][] = Object.entries(Object(Object(document).paths));
  return paths.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Operation => {
      const { parameters = [], requestBody, security = [] } = Object(operation);
      const content = Object(Object(requestBody).content);
      const own = parameters.filter((each: object) => 'schema' in each);
      return { method: method.toUpperCase(), path, parameters: own, content, security };
    }),
  );
}

const pathsOf = ({ path }: Operation): fc.Arbitrary<string> =>
  path.includes('{') ? storagePath.map((each) => path.replace('{path}', () => each)) : fc.constant(path);

const queriesOf = ({ path, parameters }: Operation) => queryOf(parameters, knownFields(path));

/** Requests of an operation's own callers that fit its description. */
export function fittingRequest(operation: Operation): fc.Arbitrary<HostileRequest> {
  return makeRequest(operation, queriesOf(operation).good, bodyOf(operation).good);
}

function makeRequest(
  operation: Operation,
  query: fc.Arbitrary<string>,
  bodies: ReturnType<typeof bodyOf>['good'],
  caller = callerOf(operation),
): fc.Arbitrary<HostileRequest> {
  return fc
    .record({ path: pathsOf(operation), query, body: bodies, caller, headers: plainHeaders })
    .map(({ body: { headers, ...sent }, ...rest }) => ({
      ...rest,
      ...sent,
      method: operation.method,
      headers: { ...rest.headers, ...headers },
    }));
}

function requestOf(operation: Operation): fc.Arbitrary<HostileRequest> {
  const query = queriesOf(operation);
  const body = bodyOf(operation);
  const make = (...parts: [typeof query.good, typeof body.good, fc.Arbitrary<Caller>?]) =>
    makeRequest(operation, ...parts);
  return fc.oneof(
    { weight: 16, arbitrary: make(query.good, body.good) },
    { weight: 1, arbitrary: make(query.good, body.good, fc.constantFrom(...callers)) },
    { weight: body.isTaken ? 6 : 1, arbitrary: make(query.good, body.bad) },
    { weight: operation.parameters.length > 0 ? 5 : 1, arbitrary: make(query.bad, body.good) },
    { weight: 2, arbitrary: withOddHeaders(make(query.good, body.good)) },
    { weight: 1, arbitrary: withOddHeaders(make(query.bad, body.bad)) },
  );
}

function bodyOf({ path, content }: Operation) {
  if ('multipart/form-data' in content) return { ...formBody(path), isTaken: true };
  if ('application/x-www-form-urlencoded' in content) return { ...textForm(path), isTaken: true };
  const schema = content['application/json']?.schema;
  const nothing = fc.constant<Pick<HostileRequest, 'headers' | 'body' | 'isBase64'>>({ headers: {} });
  // Operations without a body sometimes get one.
  if (!schema) return { good: nothing, bad: jsonBody(fc.jsonValue()).bad, isTaken: false };
  const fitting = fromSchema(schema, knownFields(path));
  const knowing = knownBodies[path];
  const value = knowing
    ? fc.oneof({ weight: 3, arbitrary: knowing }, { weight: 1, arbitrary: fitting })
    : fitting;
  return { ...jsonBody(value), isTaken: true };
}

/** A caller whom an operation is for. */
function callerOf({ security }: Operation): fc.Arbitrary<Caller> {
  const names = security.flatMap((each) => Object.keys(each));
  const fitting: Caller[] = [
    ...(names.includes('adminToken') ? (['admin'] as const) : []),
    ...(names.includes('userToken') ? (['user'] as const) : []),
    ...(names.includes('apiToken') ? (['reader', 'writer'] as const) : []),
    ...(security.length === 0 || security.some((each) => Object.keys(each).length === 0)
      ? (['guest'] as const)
      : []),
  ];
  return fc.constantFrom(...fitting);
}

function withOddHeaders(requests: fc.Arbitrary<HostileRequest>): fc.Arbitrary<HostileRequest> {
  return fc
    .tuple(requests, oddHeaders)
    .map(([request, headers]) => ({ ...request, headers: { ...request.headers, ...headers } }));
}
