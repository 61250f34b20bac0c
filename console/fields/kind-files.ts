/// <reference types="vite/types/importMeta.d.ts" />
import type { FieldKind } from './kind.ts';

/** The exports of all files `TYPE.kind.ts`, by path. Tests in Node have a file of their own in its place. */
export const kindFiles = import.meta.glob<FieldKind>('./*/*.kind.ts', { eager: true, import: 'default' });
