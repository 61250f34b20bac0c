import * as z from 'zod/mini';
import type { MediaSite } from './site.ts';

/** `public` completes for output, `stored` shortens for saving. */
export type MediaDirection = 'public' | 'stored';

/**
 * What a field with media is converted by. The functions come along so that only who annotates rich text
 * loads an HTML parser.
 */
export type MediaAnnotation = Record<MediaDirection, (text: string, site?: MediaSite) => string>;

/** Which schemas are of fields with media. */
export const mediaRegistry = z.registry<MediaAnnotation>();
