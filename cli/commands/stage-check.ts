import { discover } from '#functions/discover/discover.ts';
import { listMethods, listPaths } from '#functions/model.ts';
import { requiresLogin } from '#shared/http/gates.ts';
import { createCommand, UsageError } from '../command.ts';
import { describeFailure, type Finding, renderFindings } from '../deploy/check/finding.ts';
import { root } from '../project.ts';

/** Each request, in milliseconds: the first one starts a function. */
const requestLimitMs = 15_000;
/** An origin that no stage allows. */
const stranger = 'https://stranger.invalid';

/** An answer as the checks read it. */
interface Answer {
  status: number;
  headers: Headers;
  /** Parsed JSON; undefined for another body. */
  body: unknown;
}

/** A request, and what its answer must be. */
interface Probe {
  subject: string;
  path: string;
  init?: RequestInit;
  /** @returns what is wrong, undefined if nothing is */
  judge: (answer: Answer) => string | undefined;
}

const read = (body: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((inner, key) => Object(inner)[key], body);

/** Wants a status and the code of an error in the envelope. */
const refuses =
  (status: number, code: string) =>
  ({ status: found, body }: Answer) =>
    found === status && read(body, 'code') === code
      ? undefined
      : `answered ${found} ${read(body, 'code') ?? 'without a code'}, not ${status} ${code}`;

const wantHeader = (name: string, pattern: RegExp) => (answer: Answer) =>
  pattern.test(answer.headers.get(name) ?? '') ? undefined : `${name} is "${answer.headers.get(name) ?? ''}"`;

/** @param guarded path of a route that takes GET and a login of administrators */
function listProbes(base: string, guarded: string): Probe[] {
  const health = '/health';
  const nonsense = { headers: { authorization: 'Bearer nonsense' } };
  const preflight = { origin: stranger, 'access-control-request-method': 'GET' };
  return [
    { subject: 'stores', path: health, judge: judgeHealth },
    {
      subject: 'only over HTTPS (HSTS)',
      path: health,
      judge: wantHeader('strict-transport-security', /max-age=[1-9]/),
    },
    {
      subject: 'type of content is not guessed',
      path: health,
      judge: wantHeader('x-content-type-options', /^nosniff$/),
    },
    { subject: 'number of the request', path: health, judge: wantHeader('x-request-id', /./) },
    { subject: 'answers are not stored', path: health, judge: wantHeader('cache-control', /no-store/) },
    { subject: 'unknown path', path: '/no-such-path', judge: refuses(404, 'route.not_found') },
    {
      subject: 'wrong method',
      path: health,
      init: { method: 'DELETE' },
      judge: refuses(405, 'route.method_not_allowed'),
    },
    { subject: 'no login', path: guarded, judge: refuses(401, 'auth.token_missing') },
    { subject: 'a login is asked for', path: guarded, judge: wantHeader('www-authenticate', /^Bearer/) },
    { subject: 'made-up token', path: guarded, init: nonsense, judge: refuses(401, 'auth.token_invalid') },
    {
      subject: 'pages of other origins',
      path: health,
      init: { method: 'OPTIONS', headers: preflight },
      judge: ({ headers }) =>
        headers.has('access-control-allow-origin') ? `${stranger} may call the API` : undefined,
    },
    { subject: 'PUBLIC_URL', path: '/openapi.json', judge: (answer) => judgeUrl(answer, base) },
  ];
}

function judgeHealth({ status, body }: Answer): string | undefined {
  const state = read(body, 'data', 'status');
  if (status === 200 && state === 'ok') return undefined;
  const checks = JSON.stringify(read(body, 'data', 'checks') ?? {});
  return `answered ${status} ${state ?? ''} ${checks}`;
}

/** Links, logins of AI clients and signed addresses begin with the URL that the service knows. */
function judgeUrl({ status, body }: Answer, base: string): string | undefined {
  const url = read(body, 'servers', '0', 'url');
  return status === 200 && url === base ? undefined : `the service says ${url ?? status}, not ${base}`;
}

async function send(base: string, { path, init }: Probe): Promise<Answer> {
  const signal = AbortSignal.timeout(requestLimitMs);
  const response = await fetch(`${base}${path}`, { redirect: 'manual', ...init, signal });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function probe(base: string, each: Probe): Promise<Finding> {
  const { subject, path, init } = each;
  const request = `${init?.method ?? 'GET'} ${path}`;
  try {
    const fault = each.judge(await send(base, each));
    return { subject, state: fault ? 'failed' : 'ok', text: fault ? `${request}: ${fault}` : request };
  } catch (error) {
    return { subject, state: 'failed', text: `${request}: ${describeFailure(Object(error).cause ?? error)}` };
  }
}

/** Checks a running stage from outside, by its base URL. Changes nothing there. */
export async function checkStage(base: string, guarded: string): Promise<Finding[]> {
  return Promise.all(listProbes(base, guarded).map((each) => probe(base, each)));
}

/** The command that checks a deployed stage (`docs/deploy.md`). */
export const stageCheck = createCommand('stage:check', 'check a deployed stage from outside, without a login')
  .argument('<URL>', 'its base URL, as printed after the deployment')
  .action(async (given) => {
    const url = URL.parse(given);
    if (!url || !/^https?:$/.test(url.protocol)) throw new UsageError(`"${given}" is not an http(s) URL`);
    const { routes } = await discover(root);
    const guarded = routes.find(
      (found) =>
        found.route.area === 'admin' &&
        requiresLogin(found.route) &&
        listMethods(found).includes('GET') &&
        !found.path.includes('{'),
    );
    const [path] = guarded ? listPaths(guarded) : [];
    if (!path) throw new Error('No enabled module has a route for administrators');
    const findings = await checkStage(url.href.replace(/\/+$/, ''), path);
    console.log(renderFindings(findings));
    const failed = findings.filter(({ state }) => state === 'failed').length;
    if (failed > 0) throw new Error(`${failed} of ${findings.length} checks failed.`);
  });
