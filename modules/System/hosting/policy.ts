import { settleAll } from '#shared/async/settle-all.ts';
import { environment } from '#shared/config/environment.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { log } from '#shared/log/log.ts';
import type { EngineOrigins } from '#shared/storage/engine.ts';
import { type EngineName, engineNames, openEngine } from '#shared/storage/engines.ts';

/** An engine may have to ask its cloud for hosts. */
const timeoutMs = 2_000;

/** How long an instance keeps the policy, in milliseconds. Anybody may open the console, and engines may ask clouds. */
const keepMs = 60_000;
let kept: { atMs: number; policy: Promise<SitePolicy> } | undefined;

export interface SitePolicy {
  /** The content security policy. */
  policy: string;
  /** The base URL of this site, which its own files begin with, and the origins of other engines' files. */
  storage: { site: string; origins: Partial<Record<EngineName, string>> };
}

/** What {@link createPolicy} answers, made at most once a minute. A page shows new storage settings after that time. */
export function readPolicy(create = createPolicy): Promise<SitePolicy> {
  const now = performance.now();
  if (!kept || now - kept.atMs >= keepMs) kept = { atMs: now, policy: create() };
  return kept.policy;
}

/**
 * The content security policy of the console's index. It allows this site, and the origins of the storage engines that
 * are set up: direct uploads go to them, and pictures come from them.
 *
 * Rich text is shown in a sandboxed `srcdoc` frame. It inherits this policy, and no `frame-src` applies to it.
 */
export async function createPolicy(): Promise<SitePolicy> {
  // Stored addresses begin with this one, also for a browser that opened the site by another.
  const own = ["'self'", new URL(environment().publicUrl).origin];
  const engines = await settleAll(engineNames.map(readOrigins));
  const [uploads, files] = (['uploads', 'files'] as const).map((kind) =>
    [...new Set([...own, ...engines.flatMap((engine) => engine[kind].flatMap(toSource))])].join(' '),
  );
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    `connect-src ${uploads}`,
    `img-src ${files} data: blob:`,
    `media-src ${files} data: blob:`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ');
  // The first origin is that of public files.
  const origins = engineNames.flatMap((name, index) => {
    const [origin] = engines[index]?.files.flatMap(toSource) ?? [];
    return origin === undefined ? [] : [[name, origin]];
  });
  return { policy, storage: { site: environment().publicUrl, origins: Object.fromEntries(origins) } };
}

/** Nothing for an engine that is not set up or fails: the console must open also then, to repair its settings. */
async function readOrigins(name: EngineName): Promise<EngineOrigins> {
  try {
    const engine = await openEngine(name, { timeoutMs });
    return await engine.origins();
  } catch (error) {
    const isUnused = error instanceof AppError && error.code === 'storage.not_configured';
    if (!isUnused) log.warn('console.origins_unknown', { engine: name, error });
    return { uploads: [], files: [] };
  }
}

/** A source of the policy; none for text that is not a URL of the web. */
function toSource(origin: string): string[] {
  const url = URL.parse(origin);
  return url && /^https?:$/.test(url.protocol) ? [url.origin] : [];
}
