import { readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';

/** What the numbers were measured on and with. */
export interface RunDescription {
  /** Day of the run, in UTC. */
  date: string;
  command: string;
  node: string;
  cpu: string;
  cores: number;
  memoryGb: number;
  /** Where the cache keeps its data. */
  cache: 'memory' | 'Redis';
  /** Versions of the packages that are compared, by name. */
  packages: Record<string, string>;
}

const compared = [
  '@upstash/redis',
  '@aws-sdk/lib-dynamodb',
  '@modelcontextprotocol/server',
  'hono',
  'fastify',
  '@fastify/aws-lambda',
  '@nestjs/core',
  '@codegenie/serverless-express',
  'express',
  'esbuild',
];

/**
 * Describes this machine and the project's packages.
 *
 * @param root the project's folder
 * @param args of the command
 * @param redisUrl of the cache, where it is a Redis
 */
export function describeRun(root: string, args: readonly string[], redisUrl?: string): RunDescription {
  const [first, ...others] = cpus();
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const versions: Record<string, string> = { ...dependencies, ...devDependencies };
  return {
    date: new Date().toISOString().slice(0, 10),
    command: ['npm run bench', ...(args.length > 0 ? ['--', ...args] : [])].join(' '),
    node: process.version,
    cpu: first?.model.trim() ?? 'unknown',
    cores: others.length + 1,
    memoryGb: Math.round(totalmem() / 1024 ** 3),
    cache: redisUrl ? 'Redis' : 'memory',
    packages: Object.fromEntries(compared.map((name) => [name, versions[name] ?? 'not installed'])),
  };
}
