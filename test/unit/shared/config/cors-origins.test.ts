import { describe, expect, test } from '@jest/globals';
import { corsOrigins } from '#shared/config/check-environment.ts';
import { EnvironmentError } from '#shared/config/environment.ts';

describe('corsOrigins', () => {
  test.each([undefined, '', ' ', ',', ' , '])('allows none for %j', (list) => {
    expect(corsOrigins(list)).toEqual([]);
  });

  test('reads origins separated by commas', () => {
    const origins = corsOrigins(' https://a.example.com,http://localhost:5173 , https://b.example.com:8443,');

    expect(origins).toEqual(['https://a.example.com', 'http://localhost:5173', 'https://b.example.com:8443']);
  });

  test.each([
    '*',
    'null',
    'example.com',
    'https://example.com/',
    'https://example.com/path',
    'https://example.com:443',
    'https://EXAMPLE.com',
    'https://user@example.com',
    'file:///etc',
  ])('refuses %s by its name', (bad) => {
    const read = () => corsOrigins(`https://good.example.com,${bad}`);

    expect(read).toThrow(EnvironmentError);
    expect(read).toThrow(`CORS_ORIGINS: "${bad}" is not an origin such as https://example.com`);
  });
});
