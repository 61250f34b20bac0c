import { hash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { find, type OssObjects, pickKept, store } from './oss-objects.ts';
import { checkOssPolicy } from './oss-policy.ts';
import { OssRefusal } from './oss-refusal.ts';
import type { OssRequest } from './oss-signatures.ts';
import { readForm } from './read-form.ts';
import type { OssGateway } from './verify-oss.ts';

/** What writes go to. */
export interface OssBucket {
  objects: OssObjects;
  gateway: OssGateway;
  /** Whether PostObject knows the field `x-oss-content-type`. */
  knowsTypeField: boolean;
}

export function putObject(
  { objects }: OssBucket,
  request: OssRequest,
  bytes: Buffer,
  response: ServerResponse,
): void {
  const header = readHeaders(request);
  const md5 = hash('md5', bytes, 'base64');
  if ((header('content-md5') ?? md5) !== md5) {
    throw new OssRefusal(400, 'InvalidDigest', 'The Content-MD5 you specified is not valid.');
  }
  const write = { key: request.key, bytes, headers: pickKept(header), acl: header('x-oss-object-acl') };
  const { etag } = store(objects, { ...write, forbidOverwrite: header('x-oss-forbid-overwrite') });
  response.writeHead(200, { etag, 'content-md5': md5 }).end();
}

export function copyObject({ objects }: OssBucket, request: OssRequest, response: ServerResponse): void {
  const header = readHeaders(request);
  const source = decodeURIComponent(header('x-oss-copy-source') ?? '').replace(`/${request.bucket}/`, '');
  const { bytes, headers } = find(objects, source);
  // A copy of an object onto itself keeps only the bytes.
  const isReplaced = header('x-oss-metadata-directive') === 'REPLACE' || source === request.key;
  const write = { key: request.key, bytes, acl: header('x-oss-object-acl') };
  const { etag } = store(objects, { ...write, headers: isReplaced ? pickKept(header) : headers });
  const xml = `<CopyObjectResult><ETag>${etag}</ETag></CopyObjectResult>`;
  response.writeHead(200, { 'content-type': 'application/xml' }).end(`<?xml version="1.0"?>${xml}`);
}

export async function postObject(
  { objects, gateway, knowsTypeField }: OssBucket,
  request: OssRequest,
  body: Buffer,
  response: ServerResponse,
): Promise<void> {
  const form = await readForm(request.headers, body);
  if (!form) throw malformed();
  const fields = new Map([...form.fields].map(([name, value]) => [name.toLowerCase(), value]));
  const { file } = form;
  if (!file) throw new OssRefusal(400, 'InvalidArgument', 'The file field is missing.', '0006-00000204');
  const key = fields.get('key');
  if (!key) throw new OssRefusal(400, 'InvalidArgument', 'The key field is missing.', '0006-00000203');
  checkOssPolicy({ bucket: request.bucket, fields, sizeBytes: file.bytes.length }, gateway);
  const typeField = knowsTypeField ? fields.get('x-oss-content-type') : undefined;
  const contentType = typeField ?? file.contentType;
  const { etag } = store(objects, {
    key,
    bytes: file.bytes,
    headers: pickKept((name) => (name === 'content-type' ? contentType : fields.get(name))),
    // The form's field takes precedence over the request's header.
    acl: fields.get('x-oss-object-acl') ?? readHeaders(request)('x-oss-object-acl'),
    forbidOverwrite: fields.get('x-oss-forbid-overwrite'),
    isPost: true,
  });
  const status = Number(fields.get('success_action_status'));
  response.writeHead([200, 201].includes(status) ? status : 204, { etag }).end();
}

function malformed(): OssRefusal {
  const message = 'The body of your POST request is not well-formed multipart/form-data.';
  return new OssRefusal(400, 'MalformedPOSTRequest', message, '0006-00000202');
}

const readHeaders =
  ({ headers }: OssRequest) =>
  (name: string): string | undefined => {
    const value = headers[name];
    return value === undefined ? undefined : String(value);
  };
