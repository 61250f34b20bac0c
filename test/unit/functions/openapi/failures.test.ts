import '../../../support/environment.ts';
import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { describeFailures } from '#functions/openapi/failures.ts';
import { createEdition } from '#functions/openapi/texts.ts';
import systemErrors from '#modules/System/errors.ts';
import systemMessages from '#modules/System/lang/zh_CN.json' with { type: 'json' };
import type { Route } from '#shared/http/route.ts';
import { createRoute, foundModule, foundRoute } from '../fixtures.ts';

const system = foundModule('System', {
  errors: systemErrors.codes,
  messages: { zh_CN: systemMessages, en: systemMessages },
});
const describeIn = (locale: 'zh_CN' | 'en', rest: Partial<Route>) =>
  Object(
    describeFailures(
      foundRoute({ route: createRoute('web', 'GET', rest) }),
      createEdition({ modules: [system] }, locale),
    ),
  );

const schemaOf = (response: { content: object }) => Object(response.content)['application/json'].schema;

describe('the failures of a route', () => {
  test('are shared by routes with the same codes', () => {
    expect(describeIn('en', { errors: ['throttle.exceeded'] })).toEqual({
      429: { $ref: '#/components/responses/Throttled' },
      500: { $ref: '#/components/responses/Internal' },
    });
  });

  test('name the gateway if the route itself refuses nothing', () => {
    expect(describeIn('en', {})).toEqual({
      429: { $ref: '#/components/responses/ThrottledByGateway' },
      500: { $ref: '#/components/responses/Internal' },
    });
  });

  test('are grouped by status, with codes, messages and samples in both languages', () => {
    const errors = ['admin.self', 'admin.last_super'] as const;

    const { 409: conflict } = describeIn('zh_CN', { errors });

    expect(schemaOf(conflict).properties.code.enum).toEqual(['admin.last_super', 'admin.self']);
    expect(conflict.description).toBe(
      '`admin.last_super`: 至少要有一个启用的超级管理员\n\n`admin.self`: 不能对自己执行此操作',
    );
    expect(Object.keys(conflict.content['application/json'].examples)).toEqual([
      'admin.last_super.zh_CN',
      'admin.last_super.en',
      'admin.self.zh_CN',
      'admin.self.en',
    ]);
  });

  test('are described as the route renders them, if it does', () => {
    const { 409: conflict, 429: throttled } = describeIn('en', {
      errors: ['admin.self', 'admin.last_super', 'throttle.exceeded'],
      renderFailure: ({ status, code }) => ({ status, body: { error: code } }),
    });

    expect(conflict.content['application/json']).toEqual({
      schema: {
        type: 'object',
        required: ['error'],
        additionalProperties: false,
        properties: { error: { type: 'string' } },
      },
      example: { error: 'admin.last_super' },
    });
    expect(conflict.description).toBe('admin.last_super\n\nadmin.self');
    expect(Object.keys(throttled.headers)).toContain('retry-after');
  });

  test('have their headers', () => {
    const { 429: throttled, 416: range } = describeIn('en', {
      errors: ['throttle.exceeded', 'range.invalid', 'internal'],
      reference: { errorHeaders: { 'range.invalid': ['content-range'] } },
    });

    expect(throttled).toEqual({ $ref: '#/components/responses/Throttled' });
    expect(Object.keys(range.headers)).toEqual(['x-request-id', 'content-language', 'content-range']);
  });

  test('have declared data, else null', () => {
    const errorData = { 'auth.captcha_required': z.strictObject({ driver: z.string() }) };

    const { 422: unfit } = describeIn('en', {
      errors: ['auth.captcha_required', 'auth.captcha_invalid'],
      reference: { errorData },
    });

    const [plain, other] = schemaOf(unfit).anyOf;
    expect(plain.properties).toMatchObject({
      code: { enum: ['auth.captcha_invalid'] },
      data: { type: 'null' },
    });
    expect(other.properties).toMatchObject({
      code: { enum: ['auth.captcha_required'] },
      data: { required: ['driver'] },
    });
  });

  test('can have any code if errors of tools are passed on', () => {
    const failures = describeIn('en', { errors: ['tool.failed'], reference: { passesErrors: true } });

    // 500 is shared elsewhere.
    for (const status of [500, 502]) {
      expect(schemaOf(failures[status]).properties.code).toEqual({ $ref: '#/components/schemas/ErrorCode' });
    }
    expect(failures.default).toEqual({ $ref: '#/components/responses/AnyFailure' });
  });
});
