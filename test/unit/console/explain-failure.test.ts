import { expect, test } from '@jest/globals';
import { findReason } from '#modules/System/Console/settings/explain-failure.ts';

test.each([
  ['no end within 20000 ms', 'slow'],
  ['getaddrinfo ENOTFOUND api.example', 'host'],
  ['connect ECONNREFUSED 127.0.0.1:9', 'unreachable'],
  ['self-signed certificate in certificate chain', 'certificate'],
  ['status 429, insufficient_quota', 'limit'],
  ['status 403, SignatureDoesNotMatch', 'key'],
  ['status 401, Unauthorized', 'key'],
  ['401 Incorrect API key provided', 'key'],
  ['status 403, AccessDenied', 'rights'],
  ['status 404, NoSuchBucket', 'missing'],
  ['status 503, ServiceUnavailable', 'fault'],
  ['an unknown sentence', 'other'],
])('explains "%s" as %s', (detail, reason) => {
  expect(findReason(detail)).toBe(reason);
});
