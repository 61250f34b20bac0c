import { extname } from 'node:path';
import { settleAll } from '#shared/async/settle-all.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { hasTag, RawAnswer, weakTag } from '#shared/http/raw-answer.ts';
import type { BuiltSite, ConsoleFiles, RequestInfo } from '#shared/http/route.ts';
import { type Brand, readBrand } from '../site/brand.ts';
import { readSsoButton } from '../sso/settings.ts';
import { Content, chooseEncoding } from './content.ts';
import { toFilledIndex } from './filled-index.ts';
import { readPolicy, type SitePolicy } from './policy.ts';

type Event = RequestInfo['event'];
type Headers = Record<string, string>;

const home = '/console/';
const consentPath = '/console/oauth/consent';
const indexFile = 'index.html';
const assetFolder = 'assets/';

const contentTypes: Headers = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};
const html = 'text/html; charset=utf-8';

interface IndexParts {
  policy(): Promise<SitePolicy>;
  brand(): Promise<Brand>;
  /** Text of the button of single sign-on; undefined if it is not set up. */
  sso(): Promise<string | undefined>;
}

const commonHeaders = {
  // Some clouds answer pictures only to pages of known sites: they get the origin, but no path.
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
};

/**
 * Answers the console: its index for every path that is not a file, the files in `assets/`, and `description.json`.
 *
 * @throws AppError `route.not_found` for an unknown file in `assets/`
 */
export async function serveConsole(
  files: ConsoleFiles,
  event: Event,
  find: IndexParts = { policy: readPolicy, brand: readBrand, sso: readSsoButton },
): Promise<RawAnswer> {
  const { rawPath } = event;
  if (!rawPath.startsWith(home)) {
    return new RawAnswer(302, { ...commonHeaders, 'cache-control': 'no-cache', location: home });
  }
  const path = rawPath.slice(home.length);
  if (path === 'description.json') return answerDescription(files, event);
  const { default: site } = await files.site();
  if (!site) return answerUnbuilt();
  if (path !== indexFile && Object.hasOwn(site, path)) return answerFile(site, path, event);
  if (path.startsWith(assetFolder)) throw new AppError('route.not_found');
  return answerIndex(site, event, find);
}

async function answerDescription({ description }: ConsoleFiles, event: Event): Promise<RawAnswer> {
  const loaded = await description();
  const content = remember(loaded, async () => Content.fromText(JSON.stringify(loaded.default)));
  return answer(event, await content, { 'content-type': contentTypes['.json'] ?? '' });
}

async function answerFile(site: BuiltSite, path: string, event: Event): Promise<RawAnswer> {
  return answer(event, await readFile(site, path), {
    'content-type': contentTypes[extname(path)] ?? 'application/octet-stream',
    ...(path.startsWith(assetFolder) && { 'cache-control': 'public, max-age=31536000, immutable' }),
  });
}

/** The ETag covers the policy: after a 304, a browser may keep the policy that it has. */
async function answerIndex(site: BuiltSite, event: Event, find: IndexParts): Promise<RawAnswer> {
  const [file, { policy, storage }, brand, sso] = await settleAll([
    readFile(site, indexFile),
    find.policy(),
    find.brand(),
    find.sso(),
  ]);
  const content = await fillIndex(file, { brand, storage, sso });
  const headers = {
    'content-type': html,
    'content-security-policy': policy,
    // A client opens the consent page as a pop-up, and needs its handle again when the code arrives.
    'cross-origin-opener-policy': event.rawPath === consentPath ? 'unsafe-none' : 'same-origin',
  };
  return answer(event, content, { ...headers, etag: weakTag(`${content.etag} ${policy}`) });
}

async function answer(
  { headers, requestContext }: Event,
  content: Content,
  given: Headers,
): Promise<RawAnswer> {
  const encoding = chooseEncoding(headers['accept-encoding']);
  const described: Headers = {
    ...commonHeaders,
    'cache-control': 'no-cache',
    vary: 'Accept-Encoding',
    etag: content.etag,
    ...given,
  };
  if (hasTag(headers['if-none-match'], described.etag ?? '')) return new RawAnswer(304, described);
  if (encoding !== 'identity') described['content-encoding'] = encoding;
  const body = await content.encode(encoding);
  if (requestContext.http.method !== 'HEAD') return new RawAnswer(200, described, body);
  return new RawAnswer(200, { ...described, 'content-length': String(body.length) });
}

const remembered = new WeakMap<object, Promise<Content>>();

/** The content of an object, made once. A rebuilt console has other objects. */
function remember(source: object, create: () => Promise<Content>): Promise<Content> {
  const content = remembered.get(source) ?? create();
  remembered.set(source, content);
  return content;
}

/** @throws AppError `route.not_found` */
function readFile(site: BuiltSite, path: string): Promise<Content> {
  const load = site[path];
  if (!load) throw new AppError('route.not_found');
  return remember(load, async () => Content.fromBrotli((await load()).default));
}

/** What the index is filled with. */
interface Filling {
  brand: Brand;
  storage: SitePolicy['storage'];
  sso: string | undefined;
}
/** The index with what it was filled with last. */
const filled = new WeakMap<Content, Filling & { content: Promise<Content> }>();

function fillIndex(file: Content, { brand, storage, sso }: Filling): Promise<Content> {
  const known = filled.get(file);
  if (known?.brand === brand && known.storage === storage && known.sso === sso) return known.content;
  const content = file
    .encode('identity')
    .then((index) => Content.fromText(toFilledIndex(index.toString(), brand, storage, sso)));
  filled.set(file, { brand, storage, sso, content });
  return content;
}

const unbuilt = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Console</title>
<p lang="zh-CN">控制台正在构建，页面会自动刷新。若长时间没有变化，请查看服务的输出。</p>
<p>The console is being built. This page reloads by itself. If it stays, see what the service has printed.</p>
</html>
`;

/** Asks the browser to reload, until `npm start` has built the console. */
function answerUnbuilt(): RawAnswer {
  const headers = {
    ...commonHeaders,
    'content-type': html,
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
    'retry-after': '2',
    refresh: '2',
  };
  return new RawAnswer(503, headers, Buffer.from(unbuilt));
}
