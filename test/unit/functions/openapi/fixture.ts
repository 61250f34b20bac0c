import '../../../support/environment.ts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { discover } from '#functions/discover/discover.ts';
import type { Manifest } from '#functions/model.ts';
import { createDocument } from '#functions/openapi/document.ts';
import type { Json } from '#functions/openapi/json-schema.ts';
import { createSchemaWriter } from '#functions/openapi/json-schema.ts';
import type { Locale } from '#shared/i18n/locale.ts';
import { projectRoot } from '../../../support/local-server.ts';

export type Operation = Json & {
  operationId: string;
  tags: string[];
  summary: string;
  security: object[];
  parameters?: Json[];
  requestBody?: {
    required: boolean;
    description?: string;
    content: Record<string, { schema: Json; example?: unknown }>;
  };
  responses: Record<string, Json>;
};

export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, Json>>;
  tags: { name: string; description: string }[];
  servers: { url: string; description: string }[];
}

/** The declarations of this project's modules. */
export const discoverHere = (): Promise<Manifest> => discover(projectRoot, (file) => import(file));

/** Its document, as clients read it. */
export function render(manifest: Pick<Manifest, 'modules' | 'routes'>, locale: Locale = 'en'): Document {
  return JSON.parse(JSON.stringify(createDocument(manifest, { locale, version: '1.2.3' })));
}

/** A writer that describes rules by their key. */
export const createWriter = () =>
  createSchemaWriter((key, params = {}) => [key, ...Object.values(params)].join(' '));

/** An independent validator's faults of a value. */
export function findFault(document: Document, schema: Json, value: unknown): string | null {
  const ajv = new Ajv2020({ strict: false, formats: { ...fullFormats, binary: true } });
  ajv.addSchema({ $id: 'api', components: document.components }, 'api', undefined, false);
  const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')));
  return validate(value) ? null : ajv.errorsText(validate.errors);
}
