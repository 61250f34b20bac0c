import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context } from 'aws-lambda';
import { install } from '#cli/install.ts';
import { startDynamoDbEngine } from '#cli/local/dynamodb-engine.ts';
import { startUpstashEndpoint } from '#cli/local/upstash/start-upstash-endpoint.ts';
import { root } from '#cli/project.ts';
import { discover } from '#functions/discover/discover.ts';
import { answeredBy, type FoundRoute, listMethods, listPaths, type Manifest } from '#functions/model.ts';
import { fallbackName } from '#functions/names.ts';
import { createFunctionMap } from '#functions/stacks/function-map.ts';
import { currentCost } from '#shared/auth/password.ts';
import { database as client } from '#shared/db/client.ts';
import { administrator } from './administrator.ts';
import { createEvent, type FunctionRequest } from './function-event.ts';
import { type Roles, startJudge } from './judge-proxy.ts';

/** A function's answer, as a client gets it. */
export interface FunctionAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** A proxy between the functions and a store. */
export interface Between {
  url: string;
  stop(): Promise<void> | void;
}

export interface FunctionsOptions {
  /** Settings beyond those of the stores. */
  environment?: Record<string, string>;
  /** Roles by which requests to the database are judged. @default none: every request is permitted */
  roles?: Roles;
  /** Puts a proxy before a store, from the start. */
  betweenDatabase?(url: string): Promise<Between>;
  betweenCache?(url: string): Promise<Between>;
}

/** Every function of the service in this process, called with events as the gateway does. */
export interface Functions {
  manifest: Manifest;
  dataDir: string;
  /** Addresses of the stores themselves, not of the proxies before them. */
  stores: { database: string; cache: string; token: string };
  call(request: FunctionRequest): Promise<FunctionAnswer>;
  /** Runs a job or listener with an event of its own. */
  invoke(functionName: string, event: unknown): Promise<unknown>;
  stop(): Promise<void>;
}

type Handler = (event: unknown, context: Partial<Context>) => Promise<unknown>;

/**
 * Starts stores of its own, installs, and loads functions as they are called. Once a process: sources keep the
 * environment that they have read. Passwords are hashed cheaply. Entries are those of `cli/generate.ts`, which the
 * test run has written.
 */
export async function startFunctions(options: FunctionsOptions = {}): Promise<Functions> {
  const undo: (() => unknown)[] = [];
  /** Names of the functions that run now. */
  const running: string[] = [];
  // Hashing passwords is slow on purpose.
  Object.assign(currentCost, { ln: 4, p: 1 });
  const dataDir = await mkdtemp(join(tmpdir(), 'functions-'));
  undo.push(() => rm(dataDir, { recursive: true, force: true }));
  const token = randomUUID();
  const engine = await startDynamoDbEngine({ dataDir, environment: process.env });
  undo.push(() => engine.stop());
  const endpoint = await startUpstashEndpoint({ token });
  undo.push(() => endpoint.stop());
  const inFront = async (url: string, start?: (url: string) => Promise<Between>): Promise<string> => {
    if (!start) return url;
    const between = await start(url);
    undo.push(() => between.stop());
    return between.url;
  };
  const { roles } = options;
  const database = roles
    ? await inFront(engine.endpoint, (url) => startJudge(url, roles, () => running))
    : engine.endpoint;
  const tableName = `test-${randomUUID()}`;
  Object.assign(process.env, {
    APP_KEY: randomBytes(32).toString('hex'),
    TABLE_NAME: tableName,
    DATA_DIR: dataDir,
    STORAGE_DIR: dataDir,
    PUBLIC_URL: 'http://localhost:3000',
    THROTTLE_FACTOR: '1000000',
    LOG_LEVEL: 'error',
    ...options.environment,
    UPSTASH_REDIS_REST_TOKEN: token,
    DYNAMODB_ENDPOINT: await inFront(database, options.betweenDatabase),
    UPSTASH_REDIS_REST_URL: await inFront(endpoint.url, options.betweenCache),
  });
  undo.push(async () => (await client()).destroy());
  const manifest = await discover(root, (file) => import(file));
  const modules = manifest.modules.map((found) => found.manifest);
  await install({ tableName, modules, dataDir, storageDir: dataDir, ...administrator });

  const definitions = createFunctionMap(manifest, 'local');
  const handlers = new Map<string, Promise<Handler>>();
  const load = async (name: string): Promise<Handler> => {
    const file = join(root, '.build', 'entries', `${name}.mjs`);
    return (await import(file)).handler;
  };
  const invoke = async (name: string, event: unknown): Promise<unknown> => {
    const handler = handlers.get(name) ?? load(name);
    handlers.set(name, handler);
    const endsAt = performance.now() + Number(definitions[name]?.timeout) * 1000;
    const context = {
      awsRequestId: randomUUID(),
      functionName: name,
      getRemainingTimeInMillis: () => endsAt - performance.now(),
    };
    running.push(name);
    try {
      return await (await handler)(event, context);
    } finally {
      running.splice(running.indexOf(name), 1);
    }
  };
  return {
    manifest,
    dataDir,
    stores: { database: engine.endpoint, cache: endpoint.url, token },
    invoke,
    async call(request) {
      const found = findRoute(manifest, request);
      const event = createEvent(request, found && readParameters(found.path, request.path));
      event.routeKey = found ? `${request.method} ${findPath(found, request.path)}` : '$default';
      return readResult(await invoke(found ? answeredBy(found) : fallbackName, event));
    },
    async stop() {
      for (const step of undo.reverse()) await step();
    },
  };
}

/** A trailing slash does not count. */
const toPlain = (path: string): string => path.replace(/(?<=.)\/$/, '');

const findPath = (found: FoundRoute, path: string): string | undefined =>
  listPaths(found).find((each) => matches(each, toPlain(path)));

/** The route whose function the gateway would call; undefined for its `$default`. */
function findRoute({ routes }: Manifest, { method, path }: FunctionRequest): FoundRoute | undefined {
  const [most] = routes
    .filter((found) => listMethods(found).includes(method) && findPath(found, path) !== undefined)
    // The gateway takes the path that says most.
    .sort((a, b) => b.path.length - a.path.length);
  return most;
}

/** A route's path, whose last part may be `{name+}`. */
function splitPattern(pattern: string) {
  const [prefix = '', name] = pattern.split(/\{(\w+)\+\}$/);
  return { prefix, name };
}

function matches(pattern: string, path: string): boolean {
  const { prefix, name } = splitPattern(pattern);
  return name ? path.startsWith(prefix) && path.length > prefix.length : path === pattern;
}

function readParameters(pattern: string, path: string): Record<string, string> | undefined {
  const { prefix, name } = splitPattern(pattern);
  return name ? { [name]: decode(path.slice(prefix.length)) } : undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // No percent-encoding: it stands for itself.
  }
}

function readResult(result: unknown): FunctionAnswer {
  const { statusCode, headers = {}, body = '', isBase64Encoded } = Object(result);
  return { status: statusCode, headers, body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8') };
}
