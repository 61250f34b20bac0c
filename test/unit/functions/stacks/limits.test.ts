import { describe, expect, it } from '@jest/globals';
import { defaultLimits, readLimits } from '#functions/stacks/deployment.ts';
import { createFunctionMap } from '#functions/stacks/function-map.ts';
import { createGatewayStage, createResources } from '#functions/stacks/resources.ts';
import { createRoute, foundRoute } from '../fixtures.ts';

describe('readLimits', () => {
  it('has defaults, also for empty variables', () => {
    expect(readLimits({ GATEWAY_RATE: '' })).toEqual({
      ratePerSecond: 5000,
      burst: 2500,
      concurrencyFactor: 1,
    });
  });

  it('reads the deploying environment', () => {
    const environment = { GATEWAY_RATE: '50', GATEWAY_BURST: '20', CONCURRENCY_FACTOR: '0' };

    expect(readLimits(environment)).toEqual({ ratePerSecond: 50, burst: 20, concurrencyFactor: 0 });
  });

  it.each([
    ['GATEWAY_RATE', '0'],
    ['GATEWAY_RATE', 'many'],
    ['GATEWAY_BURST', '-1'],
    ['CONCURRENCY_FACTOR', '-0.5'],
    ['CONCURRENCY_FACTOR', 'Infinity'],
  ])('refuses %s=%s', (name, value) => {
    expect(() => readLimits({ [name]: value })).toThrow(`${name} is "${value}"`);
  });
});

describe("the gateway's stage", () => {
  const { AccessLog, HttpApiStage } = createGatewayStage('prod', { ...defaultLimits, ratePerSecond: 7 });

  it('throttles all routes together', () => {
    expect(HttpApiStage.Properties.DefaultRouteSettings).toEqual({
      ThrottlingRateLimit: 7,
      ThrottlingBurstLimit: 2500,
    });
  });

  it('logs each request in a separate log, without path, query and headers', () => {
    const { DestinationArn, Format } = HttpApiStage.Properties.AccessLogSettings;

    expect(DestinationArn).toEqual({ 'Fn::GetAtt': ['AccessLog', 'Arn'] });
    expect(AccessLog.Properties).toEqual({
      LogGroupName: '/aws/vendedlogs/backend/prod/access',
      RetentionInDays: 30,
    });
    expect(JSON.parse(Format)).toMatchObject({ route: '$context.routeKey', status: '$context.status' });
    expect(Format).not.toMatch(/path|query|header|userAgent/i);
  });

  it('is part of the core alone', () => {
    expect(createResources({ stage: 'prod', stack: 'core' }, {}).Resources).toHaveProperty('HttpApiStage');
    expect(createResources({ stage: 'prod', stack: 'system' }, {}).Resources).not.toHaveProperty(
      'HttpApiStage',
    );
  });
});

describe('the concurrency that a route declares', () => {
  const route = foundRoute({ route: createRoute('admin', 'POST', { limits: { concurrency: 5 } }) });
  const find = (stage: string, concurrencyFactor?: number) => {
    const options = concurrencyFactor === undefined ? {} : { concurrencyFactor };
    return createFunctionMap({ routes: [route], jobs: [] }, stage, options)['system-admin-a'];
  };

  it('is reserved for its deployed function', () => {
    expect(find('prod')).toHaveProperty('reservedConcurrency', 5);
    expect(find('local')).not.toHaveProperty('reservedConcurrency');
  });

  it('is multiplied, and rounded up', () => {
    expect(find('prod', 0.5)).toHaveProperty('reservedConcurrency', 3);
  });

  it('is left out by a factor of 0, which would stop the function', () => {
    expect(find('prod', 0)).not.toHaveProperty('reservedConcurrency');
  });
});
