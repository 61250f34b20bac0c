import { AppError } from '#shared/errors/app-error.ts';
import { type EngineSettings, notConfigured, type SignedLink, type StorageEngine } from './engine.ts';
import { fillFromDeployment } from './engines/cloud-settings.ts';
import { isPrivatePath } from './naming/object-path.ts';

/**
 * The settings of the bucket for private files, to open an engine with.
 *
 * @throws AppError `storage.not_configured` if some are empty, or if it is the bucket of public files
 */
export function toPrivateSettings<Values extends object>(group: EngineSettings, given: Values): Values {
  const values: Record<string, unknown> = Object.fromEntries(
    Object.entries(fillFromDeployment(group, given)),
  );
  if (!group.privateFiles) throw notConfigured(`${group.name} takes no private files`);
  const { required, isSeparate, replace } = group.privateFiles;
  const missing = required(values).filter((name) => !values[name]);
  if (missing.length > 0) throw notConfigured(`${group.name} lacks ${missing.join(', ')} for private files`);
  if (isSeparate && values.private_bucket === values.bucket) {
    throw notConfigured(`${group.name} needs another bucket for private files than for public ones`);
  }
  return { ...given, ...values, ...replace(values) };
}

/**
 * An engine whose private files lie in another bucket.
 *
 * @param openPrivate opens the other bucket when it is first used @throws AppError `storage.not_configured`
 */
export function withPrivateFiles(engine: StorageEngine, openPrivate: () => StorageEngine): StorageEngine {
  let opened: StorageEngine | undefined;
  const openOnce = () => {
    opened ??= openPrivate();
    return opened;
  };
  const choose = (key: string) => (isPrivatePath(key) ? openOnce() : engine);
  return {
    ...engine,
    put: async (key, ...rest) => choose(key).put(key, ...rest),
    stat: async (key) => choose(key).stat(key),
    readRange: async (key, ...span) => choose(key).readRange(key, ...span),
    delete: async (key) => choose(key).delete(key),
    directTicket: async (upload) => choose(upload.key).directTicket(upload),
    finalise: async (key, sizeBytes) => choose(key).finalise(key, sizeBytes),
    publicUrl: (key) => (isPrivatePath(key) ? null : engine.publicUrl(key)),
    signedUrl: async (key, link) => signLink(choose(key), key, link),
    ...(engine.list && { list: () => listBoth(engine, openOnce) }),
    async origins() {
      const { uploads, files } = await engine.origins();
      const other = await listPrivateOrigins(openOnce);
      const join = (...lists: (readonly string[])[]) => [...new Set(lists.flat())];
      return { uploads: join(uploads, other.uploads), files: join(files, other.files) };
    },
  };
}

/** @throws AppError `storage.not_configured` if the engine takes no private files */
export async function signLink(engine: StorageEngine, key: string, link: SignedLink): Promise<string> {
  if (!engine.signedUrl) throw notConfigured('the engine takes no private files');
  return engine.signedUrl(key, link);
}

/** Opens the engine of private files; undefined if there is no bucket for them. */
function openIfSet(open: () => StorageEngine): StorageEngine | undefined {
  try {
    return open();
  } catch (error) {
    if (error instanceof AppError && error.code === 'storage.not_configured') return undefined;
    throw error;
  }
}

/** Private keys in the public bucket, and public ones in the other, belong to no file. */
async function* listBoth(engine: StorageEngine, open: () => StorageEngine): AsyncGenerator<string> {
  for await (const key of engine.list?.() ?? []) if (!isPrivatePath(key)) yield key;
  for await (const key of openIfSet(open)?.list?.() ?? []) if (isPrivatePath(key)) yield key;
}

async function listPrivateOrigins(open: () => StorageEngine) {
  const engine = openIfSet(open);
  if (!engine?.signedUrl) return { uploads: [], files: [] };
  const { uploads } = await engine.origins();
  const link = await engine.signedUrl('private/a', { expiresAt: 0, name: 'a' });
  return { uploads, files: [new URL(link).origin] };
}
