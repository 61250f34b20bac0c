import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { OpenApiDocument, type Place, toReference } from './open-api-document.ts';

/** What a server answered. */
export interface Observed {
  method: string;
  /** Path of the URL. */
  path: string;
  /** As it was sent, if it was text. */
  requestBody?: string;
  status: number;
  contentType: string;
  /** The body of a JSON answer. */
  text: string;
}

const json = 'application/json';

/** Checks answers against an OpenAPI document, with an independent validator. */
export class ApiContract {
  readonly #ajv = new Ajv2020({ strict: false, formats: { ...fullFormats, binary: true } });
  readonly #document: OpenApiDocument;

  constructor(document: Record<string, unknown>) {
    this.#document = new OpenApiDocument(document);
    this.#ajv.addSchema(addAccepted(document), 'api', undefined, false);
    for (const code of unknownCodes) this.#ajv.addSchema(describeUnknown(code), code);
  }

  /** What is wrong with an answer, or with the accepted request; undefined if nothing is. */
  findFault(answer: Observed): string | undefined {
    const fault = this.#findAnswerFault(answer) ?? this.#findRequestFault(answer);
    const { method, path, status, text } = answer;
    return fault && `${method} ${path} ${status}: ${fault}\n${text.slice(0, 1000)}`;
  }

  #findAnswerFault(answer: Observed): string | undefined {
    const code = this.#findUnknownCode(answer);
    if (code) return answer.method === 'HEAD' ? undefined : this.#validate(code, answer.text);
    const response = this.#findResponse(answer);
    if (!response) return 'is not documented';
    const content = Object(response.value.content);
    const isBodiless = answer.method === 'HEAD' || Object.keys(content).length === 0;
    if (isBodiless || '*/*' in content) return undefined;
    const type = answer.contentType.split(';')[0] ?? '';
    if (!(type in content)) return `answers ${type || 'no body'}, documented is ${Object.keys(content)}`;
    if (type !== json) return undefined;
    return this.#validateAt([...response.place, 'content', type, 'schema'], answer.text);
  }

  #findUnknownCode({ method, path, status }: Observed): (typeof unknownCodes)[number] | undefined {
    const place = this.#document.findPath(path);
    if (!place) return status === 404 ? 'route.not_found' : undefined;
    const isKnown = this.#document.find([...place, method.toLowerCase()]);
    return !isKnown && status === 405 ? 'route.method_not_allowed' : undefined;
  }

  #findResponse({ method, path, status }: Observed) {
    const place = this.#document.findPath(path);
    if (!place) return undefined;
    const operation = [...place, method.toLowerCase()];
    if (!this.#document.find(operation)) return undefined;
    const of = (key: string) => this.#document.find([...operation, 'responses', key]);
    const rest = of('default');
    // Without content, these are the answers of the gateway, which are not watched.
    return of(String(status)) ?? (rest?.value.content ? rest : undefined);
  }

  #findRequestFault({ method, path, requestBody = '', text }: Observed): string | undefined {
    const place = ['paths', path, method.toLowerCase(), 'requestBody', 'content', json, 'schema'];
    const body = this.#document.find(place);
    // An answer without an envelope may have a success status for a refusal.
    const isTaken = text.startsWith('{"code":"ok"');
    if (!body || !isTaken || requestBody.trim() === '') return undefined;
    const fault = this.#validateAt(body.place, requestBody);
    return fault && `took what the document refuses: ${fault}`;
  }

  #validateAt = (place: Place, text: string) => this.#validate(`api${toReference(place)}`, text);

  #validate(key: string, text: string): string | undefined {
    // ajv keeps what it has compiled.
    const validate = this.#ajv.getSchema(key);
    if (!validate) return `has no schema ${key}`;
    const isFit = validate(JSON.parse(text));
    return isFit ? undefined : this.#ajv.errorsText(validate.errors, { dataVar: 'body' });
  }
}

/** The document with the values that its fields also accept. */
const addAccepted = (document: Record<string, unknown>): Record<string, unknown> =>
  JSON.parse(JSON.stringify(document), (_key, value) => {
    const accepted = value?.['x-also-accepts'];
    return accepted ? { anyOf: [value, { enum: accepted }] } : value;
  });

/** Codes of requests that are not for a route; the document's introduction names them. */
const unknownCodes = ['route.not_found', 'route.method_not_allowed'] as const;

function describeUnknown(code: string) {
  const schemas = 'api#/components/schemas';
  const properties = {
    code: { const: code },
    message: { $ref: `${schemas}/Message` },
    data: { type: 'null' },
    request_id: { $ref: `${schemas}/RequestId` },
  };
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}
