import { existsSync, readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';

/** The machine and the versions of a run. */
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
 * Describes this machine and the packages that are compared.
 *
 * @param root the project's folder
 * @param args of the command
 * @param redisUrl of the cache, if it is a Redis
 */
export function describeRun(root: string, args: readonly string[], redisUrl?: string): RunDescription {
  const [first, ...others] = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    command: ['npm run bench', ...(args.length > 0 ? ['--', ...args] : [])].join(' '),
    node: process.version,
    cpu: first?.model.trim() ?? 'unknown',
    cores: others.length + 1,
    memoryGb: Math.round(totalmem() / 1024 ** 3),
    cache: redisUrl ? 'Redis' : 'memory',
    packages: Object.fromEntries(compared.map((name) => [name, readVersion(root, name)])),
  };
}

/** The version that is installed; the frameworks are in `bench/`. */
function readVersion(root: string, name: string): string {
  const files = [join(root, 'bench'), root].map((folder) =>
    join(folder, 'node_modules', name, 'package.json'),
  );
  const file = files.find((file) => existsSync(file));
  return file ? JSON.parse(readFileSync(file, 'utf8')).version : 'not installed';
}
