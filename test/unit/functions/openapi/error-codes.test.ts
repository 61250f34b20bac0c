import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { databaseCodes, listErrorCodes } from '#functions/openapi/failures.ts';
import { createEdition } from '#functions/openapi/texts.ts';
import systemErrors from '#modules/System/errors.ts';
import { loginCodes } from '#shared/auth/token.ts';
import { form } from '#shared/http/body/form.ts';
import type { Route } from '#shared/http/route.ts';
import { createRoute, foundModule, foundRoute } from '../fixtures.ts';

const query = z.object({ a: z.string() });
const body = ['request.malformed', 'request.unsupported_media_type', 'request.invalid'];

/** The codes of a GET beside those that every route has. */
function listOwn(area: Route['area'], rest: Partial<Route> = {}, method: Route['method'] = 'GET'): string[] {
  const usual = new Set<string>([...databaseCodes, 'internal', ...(method === 'POST' ? body : [])]);
  return listCodes(createRoute(area, method, rest)).filter((code) => !usual.has(code));
}

const edition = createEdition({ modules: [foundModule('System', { errors: systemErrors.codes })] }, 'en');
const listCodes = (route: Route): string[] => listErrorCodes(foundRoute({ route }), edition);

describe('a route can answer', () => {
  test('an internal error and an unavailable database, for every route', () => {
    expect(listCodes(createRoute('admin', 'GET'))).toEqual([...databaseCodes, 'internal']);
  });

  test('no unavailable database without its use', () => {
    expect(listCodes(createRoute('web', 'GET'))).toEqual(['internal']);
  });

  test('the codes of its login', () => {
    expect(listOwn('admin', { middleware: ['admin.auth'] })).toEqual([
      ...loginCodes,
      'auth.permission_denied',
      'auth.scope_insufficient',
    ]);
    expect(listOwn('admin', { middleware: ['admin.auth'], right: 'login' })).toEqual([
      ...loginCodes,
      'auth.scope_insufficient',
    ]);
    expect(listOwn('admin', { middleware: ['mcp.auth'] })).toEqual([
      ...loginCodes,
      'auth.scope_insufficient',
      'auth.origin_denied',
    ]);
    expect(listOwn('admin', { middleware: ['api.try-auth'] })).toEqual([]);
  });

  test('that the site is closed, to users', () => {
    expect(listOwn('api')).toEqual(['site.closed']);
  });

  test('throttle.exceeded with a throttle', () => {
    expect(listOwn('admin', { middleware: ['throttle:public'] })).toEqual(['throttle.exceeded']);
  });

  test('an invalid query or body', () => {
    expect(listOwn('admin', { query })).toEqual(['request.invalid']);
    expect(listCodes(createRoute('admin', 'POST'))).toEqual(expect.arrayContaining(body));
  });

  test('that a body is too large, unless its parser has no limit', () => {
    const body = z.strictObject({});

    expect(listCodes(createRoute('admin', 'POST', { body }))).toContain('request.too_large');
    expect(listCodes(createRoute('admin', 'GET', { query }))).not.toContain('request.too_large');
    expect(listCodes(createRoute('admin', 'POST', { body, parser: form }))).not.toContain(
      'request.too_large',
    );
  });

  test('the codes of its parser, and no schema for a raw body', () => {
    const parser: Route['parser'] = { ...form, refusals: ['request.unsupported_media_type'] };
    const rest: Partial<Route> = { parser, reference: { body: z.object({}) } };

    expect(listCodes(createRoute('web', 'POST', rest))).toEqual([
      'request.unsupported_media_type',
      'internal',
    ]);
  });

  test('its declared codes, each once, in the order of the catalogue', () => {
    const errors = ['version_conflict', 'admin.not_found', 'admin.self', 'internal'] as const;

    expect(listOwn('admin', { errors })).toEqual(['version_conflict', 'admin.not_found', 'admin.self']);
  });
});
