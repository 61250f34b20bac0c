/** Domains of the partitions of AWS whose regions begin so; all others are of `amazonaws.com`. */
const domains: readonly (readonly [prefix: string, domain: string])[] = [
  ['cn-', 'amazonaws.com.cn'],
  ['eusc-', 'amazonaws.eu'],
];

/** Where DynamoDB is reached in a region, such as `eu-west-1`. */
export function regionalEndpoint(region: string): string {
  const [, domain = 'amazonaws.com'] = domains.find(([prefix]) => region.startsWith(prefix)) ?? [];
  return `https://dynamodb.${region}.${domain}`;
}
