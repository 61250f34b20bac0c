import type { Schema } from '#shared/http/route.ts';
import { mediaRegistry } from '#shared/media/convert-media.ts';
import { toSafeHtml } from '#shared/media/media-html.ts';
import { marks } from '#shared/schema/marks.ts';
import { isReceivedFile } from '#shared/schema/received-file.ts';
import { type Hints, hints } from '#shared/schema/titled.ts';
import type { FieldType } from './description.ts';

/** The hints of a field; the outer layers win. @param layers from the outermost to the core */
export const mergeHints = (layers: readonly Schema[]): Partial<Hints> =>
  Object.assign({}, ...layers.toReversed().map((layer) => hints.get(layer)));

/** The type of a field that its layers are marked with; undefined if they have no mark: the core schema decides then. */
export function findMarkedType(layers: readonly Schema[]): FieldType | undefined {
  if (layers.some((layer) => marks.get(layer)?.mark === 'secret')) return 'secret';
  const { dictionary, type } = mergeHints(layers);
  if (type) return type;
  if (dictionary !== undefined) return 'dictionary';
  if (layers.some(isReceivedFile)) return 'file';
  const [media] = layers.flatMap((layer) => mediaRegistry.get(layer) ?? []);
  if (!media) return undefined;
  return media.public === toSafeHtml ? 'html' : 'media';
}
