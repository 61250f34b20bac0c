import { log } from '#shared/log/log.ts';
import { ObjectExistsError } from '#shared/storage/engine.ts';
import type { NamedEngine } from '#shared/storage/engines.ts';
import { toVariantKey, type VariantSize, variantSizes } from '#shared/storage/naming/variant-path.ts';
import { makeVariant, PictureRefusedError, pictureBounds } from '#shared/storage/variants/make-variant.ts';
import systemErrors from '../../errors.ts';

/** The variants that this process is making. */
const underWay = new Map<string, Promise<Uint8Array>>();

/**
 * The bytes of a variant: those that are stored beside the picture, else new ones, which are stored. A refused picture
 * leaves an empty object there, so that it is tried once.
 *
 * @throws AppError `storage.file_not_found`; `file.no_variants` for a refused picture; `storage.*`
 */
export async function findVariant(engine: NamedEngine, key: string, size: VariantSize): Promise<Uint8Array> {
  const variantKey = toVariantKey(key, size);
  const stored = await engine.stat(variantKey);
  if (stored) return orRefuse(await engine.readRange(variantKey, 0, stored.sizeBytes));
  const name = `${engine.name} ${variantKey}`;
  const making = underWay.get(name) ?? makeAndStore(engine, key, size).finally(() => underWay.delete(name));
  underWay.set(name, making);
  return orRefuse(await making);
}

async function makeAndStore(engine: NamedEngine, key: string, size: VariantSize): Promise<Uint8Array> {
  const variantKey = toVariantKey(key, size);
  const picture = await engine.stat(key);
  if (!picture) throw systemErrors.create('storage.file_not_found');
  const bytes = await make(engine, key, picture.sizeBytes, size);
  await store(engine, variantKey, bytes);
  // The picture may have been deleted meanwhile, with the variants that it had.
  if (await engine.stat(key)) return bytes;
  await engine.delete(variantKey);
  throw systemErrors.create('storage.file_not_found');
}

function orRefuse(bytes: Uint8Array): Uint8Array {
  if (bytes.length > 0) return bytes;
  throw systemErrors.create('file.no_variants');
}

/** What this process is working on: one picture after another, so that memory is bounded. */
let last: Promise<unknown> = Promise.resolve();

function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const done = last.then(work);
  last = done.catch(() => {});
  return done;
}

/** Nothing for a picture that is refused. */
async function make(engine: NamedEngine, key: string, sizeBytes: number, size: VariantSize) {
  try {
    if (sizeBytes > pictureBounds.bytes) throw new PictureRefusedError(`it has ${sizeBytes} bytes`);
    return await inTurn(async () =>
      makeVariant(await engine.readRange(key, 0, sizeBytes), variantSizes[size]),
    );
  } catch (error) {
    if (!(error instanceof PictureRefusedError)) throw error;
    log.warn('variant.refused', { engine: engine.name, key, size, error });
    return new Uint8Array();
  }
}

/** If it is not stored, the next request makes it again. */
async function store(engine: NamedEngine, key: string, bytes: Uint8Array): Promise<void> {
  try {
    await engine.put(key, bytes, 'image/webp');
  } catch (error) {
    // Another request has made the same.
    if (!(error instanceof ObjectExistsError))
      log.warn('variant.not_stored', { engine: engine.name, key, error });
  }
}
