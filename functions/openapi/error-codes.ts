import { type ErrorCode, errorCatalogue } from '#shared/errors/catalogue.ts';
import { bodyLimitOf } from '#shared/http/body/body-limit.ts';
import { parserRefusals } from '#shared/http/body/body-parser.ts';
import { listThrottles, type Route, requiresLogin } from '#shared/http/route.ts';

/** What every route that requires a login may refuse with. */
export const loginCodes = [
  'auth.token_missing',
  'auth.token_invalid',
  'auth.token_expired',
  'auth.token_revoked',
  'auth.principal_mismatch',
  'auth.principal_disabled',
] as const satisfies ErrorCode[];

/** What every route that asks the database may fail with. */
export const databaseCodes = [
  'database.unavailable',
  'database.not_installed',
] as const satisfies ErrorCode[];

/**
 * Every code that a route can answer: what its gates, its parser and its schemas refuse with, and what it
 * declares itself. In the order of the catalogue.
 */
export function listErrorCodes(route: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>([
    ...listGateCodes(route),
    ...listInputCodes(route),
    // Routes of `Web/` declare what they ask; all others have gates or settings that are read.
    ...(route.area === 'web' && !isForMcp(route) ? [] : databaseCodes),
    ...(route.errors ?? []),
    'internal',
  ]);
  return (Object.keys(errorCatalogue) as ErrorCode[]).filter((code) => codes.has(code));
}

const isForMcp = ({ middleware }: Route): boolean => middleware.includes('mcp.auth');

function listGateCodes(route: Route): ErrorCode[] {
  return [
    ...(route.area === 'api' ? (['site.closed'] as const) : []),
    ...(listThrottles(route).length > 0 ? (['throttle.exceeded'] as const) : []),
    ...(requiresLogin(route) ? loginCodes : []),
    // API tokens are for MCP alone, and there not all are for everything.
    ...(requiresLogin(route) ? (['auth.scope_insufficient'] as const) : []),
    ...(isForMcp(route) ? (['auth.origin_denied'] as const) : []),
  ];
}

function listInputCodes(route: Route): ErrorCode[] {
  const { query, body, parser } = route;
  // Whose body is kept as it came has nothing that a schema could refuse.
  const isChecked = query !== undefined || (body !== undefined && !route.reference?.body);
  return [
    ...(body ? (parser?.refusals ?? parserRefusals) : []),
    ...(body && Number.isFinite(bodyLimitOf(route)) ? (['request.too_large'] as const) : []),
    ...(isChecked ? (['request.invalid'] as const) : []),
  ];
}
