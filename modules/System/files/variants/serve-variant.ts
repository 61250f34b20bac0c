import { AppError } from '#shared/errors/app-error.ts';
import { hasTag, RawAnswer } from '#shared/http/raw-answer.ts';
import type { RequestInfo } from '#shared/http/route.ts';
import { readLink } from '#shared/storage/engines/local/signed-link.ts';
import { type EngineName, engineNames, openEngine } from '#shared/storage/engines.ts';
import { isObjectPath, isPrivatePath } from '#shared/storage/naming/object-path.ts';
import { toVariantPath, toVariantQuery } from '#shared/storage/naming/variant-link.ts';
import { hasVariants, type VariantSize, variantNames } from '#shared/storage/naming/variant-path.ts';
import systemErrors from '../../errors.ts';
import { describePrivate, publicHeaders } from '../file-headers.ts';
import { findVariant } from './find-variant.ts';

/** A variant that this service makes. */
export interface Wanted {
  engine: EngineName;
  size: VariantSize;
  /** Key of the picture. */
  key: string;
}

/** The variant that a path below `/storage/variants/` names; undefined for another engine, size or key. */
export function readVariantPath(path: string): Wanted | undefined {
  const [first, second, ...rest] = path.split('/');
  const engine = engineNames.find((name) => name === first);
  const size = variantNames.find((name) => name === second);
  const key = rest.join('/');
  if (!engine || !size || !isObjectPath(key) || !hasVariants(key)) return undefined;
  return toVariantQuery(engine, size) === undefined ? { engine, size, key } : undefined;
}

/** @throws AppError `storage.file_not_found` also if the engine is not set up: then it has no pictures */
async function findIn(name: EngineName, key: string, size: VariantSize): Promise<Uint8Array> {
  try {
    return await findVariant(await openEngine(name), key, size);
  } catch (error) {
    const isUnused = error instanceof AppError && error.code === 'storage.not_configured';
    throw isUnused ? systemErrors.create('storage.file_not_found', { cause: error }) : error;
  }
}

/**
 * Answers a variant, which is made when it is first asked for. That of a private picture needs a link that is signed for it
 * and still valid. Everything else is refused before an engine is opened.
 *
 * @param query of the URL
 * @throws AppError `storage.file_not_found`; `storage.link_invalid`; `file.no_variants` if the picture cannot be read;
 *   `storage.*`
 */
export async function serveVariant(
  path: string,
  method: string,
  asked: RequestInfo['event']['headers'],
  query: URLSearchParams,
): Promise<RawAnswer> {
  const wanted = readVariantPath(path);
  if (!wanted) throw systemErrors.create('storage.file_not_found');
  const { engine, size, key } = wanted;
  const isPrivate = isPrivatePath(key);
  const name = isPrivate ? readLink(toVariantPath(engine, key, size), query) : undefined;
  if (isPrivate && name === undefined) throw systemErrors.create('storage.link_invalid');
  const bytes = await findIn(engine, key, size);
  // A key is written once, and so are its variants.
  const described = {
    ...publicHeaders,
    'content-type': 'image/webp',
    etag: `"${size}-${bytes.length.toString(36)}"`,
    ...(name !== undefined && describePrivate(name)),
  };
  if (hasTag(asked['if-none-match'], described.etag)) return new RawAnswer(304, described);
  if (method === 'HEAD') return new RawAnswer(200, { ...described, 'content-length': String(bytes.length) });
  return new RawAnswer(200, described, bytes);
}
