import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { discover } from '#functions/discover/discover.ts';
import { createDocument } from '#functions/openapi/document.ts';
import type { Locale } from '#shared/i18n/locale.ts';
import { createTempDir, projectRoot } from '../support/local-server.ts';

/** Writes the OpenAPI document of this project's modules in each locale. Returns the files. */
export async function writeDocuments(): Promise<Record<Locale, string>> {
  const manifest = await discover(projectRoot, (file) => import(file));
  const folder = createTempDir();
  const write = (locale: Locale): string => {
    const file = join(folder, `${locale}.json`);
    writeFileSync(file, JSON.stringify(createDocument(manifest, { locale, version: '1.2.3' })));
    return file;
  };
  return { zh_CN: write('zh_CN'), en: write('en') };
}
