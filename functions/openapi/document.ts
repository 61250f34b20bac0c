import type { Locale } from '#shared/i18n/locale.ts';
import { areas } from '../discover/route-path.ts';
import { type FoundRoute, listMethods, listPaths, type Manifest } from '../model.ts';
import { reasonOf } from '../scope.ts';
import { describeExamples } from './examples.ts';
import { describeSharedFailures, listSampledCodes } from './failures.ts';
import { describeHeaders, describeRequestHeaders, referToHeaders } from './headers.ts';
import type { Json } from './json-schema.ts';
import { describeOperation, nameTag } from './operation.ts';
import { areaTitles, createEdition, describeParts, describeSecurity, type Edition, texts } from './texts.ts';

/** The OpenAPI 3.1 document of all enabled routes. The route that serves it replaces the server's URL `/`. */
export function createDocument(
  { modules, routes }: Pick<Manifest, 'modules' | 'routes'>,
  { locale, version }: { locale: Locale; version: string },
): Json {
  const edition = createEdition({ modules }, locale);
  const paths = describePaths(routes, edition);
  const codes = routes.flatMap((found) => listSampledCodes(found, edition));
  const named = [...edition.writer.components].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    openapi: '3.1.0',
    info: {
      title: texts.title[locale],
      version,
      description: texts.description[locale],
      contact: { name: texts.contact[locale] },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: texts.server[locale] }],
    tags: describeTags(modules, routes, locale),
    paths,
    components: {
      securitySchemes: describeSecurity(routes, locale),
      schemas: { ...describeParts(edition), ...Object.fromEntries(named) },
      parameters: describeRequestHeaders(locale),
      headers: describeHeaders(locale),
      responses: {
        NotModified: {
          description: texts.notModified[locale],
          headers: referToHeaders(['x-request-id', 'content-language', 'etag', 'cache-control', 'vary']),
        },
        ...describeSharedFailures(edition),
      },
      examples: describeExamples(codes, edition),
    },
  };
}

/** @throws Error naming the file of a route that cannot be described */
function describePaths(routes: readonly FoundRoute[], edition: Edition): Json {
  const paths: Record<string, Json> = {};
  for (const found of routes) {
    try {
      for (const [index, each] of listPaths(found).entries()) {
        // OpenAPI cannot describe a path parameter with slashes.
        const path = each.replace('+}', '}');
        const functionName = index === 0 ? found.functionName : `${found.functionName}-${index + 1}`;
        for (const method of listMethods(found)) {
          const operation = describeOperation({ ...found, path: each, functionName }, method, edition);
          paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
        }
      }
    } catch (cause) {
      throw new Error(`${found.file}: the API reference cannot describe it: ${reasonOf(cause)}`, { cause });
    }
  }
  return paths;
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
