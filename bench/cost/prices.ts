/**
 * List prices in US dollars, without free tiers and discounts, as read on the day below. Sources:
 * aws.amazon.com/lambda/pricing (arm64, first 7.5 billion GB-s a month), aws.amazon.com/api-gateway/pricing (HTTP
 * API, first 300 million a month, up to 512 KB each), aws.amazon.com/dynamodb/pricing/on-demand (standard table
 * class, halved in November 2024), upstash.com/pricing/redis (pay as you go, one region).
 */
export const prices = {
  region: 'us-east-1',
  asOf: '2026-11-22',
  lambdaGbSecond: 0.0000133334,
  lambdaRequest: 0.2 / 1e6,
  gatewayRequest: 1 / 1e6,
  writeUnit: 0.625 / 1e6,
  readUnit: 0.125 / 1e6,
  command: 0.2 / 1e5,
} as const;

/** Assumptions about the platform, which cannot be measured here. */
export const assumed = {
  /** A function has one whole processor at this memory, and its share of it below (AWS, "Configure memory"). */
  fullCpuMemoryMb: 1769,
  /** Time of one round trip to a store in the same region, in milliseconds. */
  roundTripMs: 3,
} as const;
