import type { Locale } from '#shared/i18n/locale.ts';
import { type FoundRoute, listMethods, type Manifest } from '../model.ts';
import { areas } from '../route-place.ts';
import { createEdition } from './edition.ts';
import { describeExamples } from './examples.ts';
import { describeSharedFailures, listSampledCodes } from './failures.ts';
import { describeHeaders, referToHeaders } from './headers.ts';
import { createSchemaWriter, type Json } from './json-schema.ts';
import { describeOperation, nameTag } from './operation.ts';
import { describeRequestHeaders } from './request.ts';
import { areaTitles, createTexts } from './texts.ts';

export interface DocumentOptions {
  /** Language of summaries and descriptions. */
  locale: Locale;
  /** The project's own version. */
  version: string;
}

/**
 * The OpenAPI 3.1 document of all enabled routes. The same routes make the same document, byte for byte. The
 * route that serves it replaces the server's URL `/` by the site's.
 */
export function createDocument(
  { modules, routes }: Pick<Manifest, 'modules' | 'routes'>,
  { locale, version }: DocumentOptions,
): Json {
  const edition = createEdition({ modules }, locale);
  const texts = createTexts(edition);
  const writer = createSchemaWriter(edition.t);
  const paths = describePaths(routes, (found, method) => describeOperation(found, method, edition, writer));
  return {
    openapi: '3.1.0',
    info: {
      title: texts.title,
      version,
      description: texts.description,
      contact: { name: texts.contact },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: texts.server }],
    tags: describeTags(modules, routes, locale),
    paths,
    components: {
      securitySchemes: texts.securitySchemes,
      schemas: { ...texts.schemas, ...sortByName(Object.fromEntries(writer.components)) },
      parameters: describeRequestHeaders(locale),
      headers: describeHeaders(locale),
      responses: {
        NotModified: {
          description: texts.notModified,
          headers: referToHeaders(['x-request-id', 'content-language', 'etag', 'cache-control', 'vary']),
        },
        ...describeSharedFailures(edition),
      },
      examples: describeExamples(
        routes.flatMap((found) => listSampledCodes(found, edition)),
        edition,
      ),
    },
  };
}

type Describe = (found: FoundRoute, method: string) => Json;

function describePaths(routes: readonly FoundRoute[], describe: Describe): Json {
  const paths: Record<string, Json> = {};
  for (const found of routes) {
    // OpenAPI cannot say that a path parameter takes slashes.
    const path = found.path.replace('+}', '}');
    const operations = listMethods(found).map((method) => [
      method.toLowerCase(),
      nameFile(found, () => describe(found, method)),
    ]);
    paths[path] = { ...paths[path], ...Object.fromEntries(operations) };
  }
  return paths;
}

/** @throws Error naming the route's file, if its declarations cannot be described */
function nameFile<T>({ file }: FoundRoute, describe: () => T): T {
  try {
    return describe();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${file}: the API reference cannot describe it: ${reason}`, { cause: error });
  }
}

function describeTags(modules: Manifest['modules'], routes: readonly FoundRoute[], locale: Locale): Json[] {
  return modules.flatMap(({ manifest: { name, title } }) =>
    areas
      .filter(({ area }) => routes.some(({ module, route }) => module === name && route.area === area))
      .map(({ area }) => ({
        name: nameTag(name, area),
        description: `${title[locale]} · ${areaTitles[area][locale]}`,
      })),
  );
}

const sortByName = (entries: Json): Json =>
  Object.fromEntries(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1)));
