import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';

type Json = Record<string, unknown>;

/** What a server answered. */
export interface Observed {
  method: string;
  /** Path of the URL. */
  path: string;
  /** As it was sent, where it was text. */
  requestBody?: string;
  status: number;
  contentType: string;
  /** The body of a JSON answer. */
  text: string;
}

/** Holds answers against an OpenAPI document, by a validator that is not ours. */
export interface ApiContract {
  /** What is wrong with an answer, or with what was taken for it; undefined where nothing is. */
  findFault(answer: Observed): string | undefined;
}

export function createContract(document: Json): ApiContract {
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: true,
    formats: { ...fullFormats, binary: true },
  });
  ajv.addSchema(document, 'api', undefined, false);

  /** The value at a pointer, references followed; and the pointer that it was found at. */
  function follow(pointer: readonly string[]): { value: Json; pointer: readonly string[] } | undefined {
    let value: unknown = document;
    for (const [index, key] of pointer.entries()) {
      if (!Object.hasOwn(Object(value), key)) return undefined;
      value = Object(value)[key];
      const reference: unknown = Object(value).$ref;
      if (typeof reference === 'string') {
        return follow([...fromReference(reference), ...pointer.slice(index + 1)]);
      }
    }
    return { value: Object(value), pointer };
  }

  function findSchemaFault(pointer: readonly string[], value: unknown): string | undefined {
    // ajv keeps what it has compiled.
    const validate = ajv.getSchema(`api${toReference(pointer)}`);
    if (!validate) return `has no schema at ${toReference(pointer)}`;
    return validate(value) ? undefined : ajv.errorsText(validate.errors, { dataVar: 'body' });
  }

  function findResponse({ method, path, status }: Observed) {
    const template = Object.keys(Object(document.paths)).find((each) => toPattern(each).test(path));
    const shared = (name: string) => follow(['components', 'responses', name]);
    if (template === undefined) return status === 404 ? shared('NotFound') : undefined;
    const operation = ['paths', template, method.toLowerCase()];
    if (!follow(operation)) return status === 405 ? shared('MethodNotAllowed') : undefined;
    return (
      follow([...operation, 'responses', String(status)]) ?? follow([...operation, 'responses', 'default'])
    );
  }

  function findRequestFault({ method, path, requestBody = '', text }: Observed): string | undefined {
    const body = follow(['paths', path, method.toLowerCase(), 'requestBody', 'content', 'application/json']);
    // What has no envelope may answer a refusal with a success.
    const isTaken = text.startsWith('{"code":"ok"');
    if (!body || !isTaken || requestBody.trim() === '') return undefined;
    const fault = findSchemaFault([...body.pointer, 'schema'], JSON.parse(requestBody));
    return fault && `took what the document refuses: ${fault}`;
  }

  function findAnswerFault(answer: Observed): string | undefined {
    const response = findResponse(answer);
    if (!response) return 'is not documented';
    const type = answer.contentType.split(';')[0] ?? '';
    const content = Object(response.value.content);
    if (answer.method === 'HEAD' || Object.keys(content).length === 0) return undefined;
    if ('*/*' in content) return undefined;
    if (!(type in content)) return `answers ${type || 'no body'}, documented is ${Object.keys(content)}`;
    if (type !== 'application/json') return undefined;
    return findSchemaFault([...response.pointer, 'content', type, 'schema'], JSON.parse(answer.text));
  }

  return {
    findFault(answer) {
      const fault = findAnswerFault(answer) ?? findRequestFault(answer);
      const { method, path, status, text } = answer;
      return fault && `${method} ${path} ${status}: ${fault}\n${text.slice(0, 1000)}`;
    },
  };
}

const fromReference = (reference: string): string[] =>
  reference
    .split('/')
    .slice(1)
    .map((key) => decodeURIComponent(key).replace(/~1/g, '/').replace(/~0/g, '~'));

const toReference = (pointer: readonly string[]): string =>
  `#/${pointer.map((key) => encodeURIComponent(key.replace(/~/g, '~0').replace(/\//g, '~1'))).join('/')}`;

/** A parameter of a path stands for all that follows. */
const toPattern = (template: string): RegExp =>
  new RegExp(`^${template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '.+')}$`);
