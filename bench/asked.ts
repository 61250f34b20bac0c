import { createInvocation, type Invocation } from './event.ts';
import { createPicture } from './picture.ts';

/** Names of the handlers in `bench/peers`, by the job that they do. */
export const labels = ['public', 'admin', 'list', 'upload', 'mcp'] as const;

/** A measured request. */
export interface Asked {
  label: (typeof labels)[number];
  functionName: string;
  invocation: Invocation;
  /** Names of fields that differ in every answer. */
  volatile: readonly string[];
}

const query = { type: 'bank_kind,source_channel' };
const toolCall = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'system.ai_settings', arguments: {} },
};

/** The measured requests; all their reads except the list of files can be cached. */
export const listAsked = async (token: string): Promise<Asked[]> => [
  {
    label: 'public',
    functionName: 'system-api-config-dict',
    invocation: createInvocation('/api/system/config/dict', query),
    volatile: [],
  },
  {
    label: 'admin',
    functionName: 'system-admin-config-dict',
    invocation: createInvocation('/adminapi/system/config/dict', query, token),
    volatile: [],
  },
  {
    label: 'list',
    functionName: 'system-admin-file-list',
    invocation: createInvocation('/adminapi/system/file/list', {}, token),
    volatile: ['next_cursor'],
  },
  {
    label: 'upload',
    functionName: 'system-admin-upload-file',
    invocation: await createUpload('/adminapi/system/upload/file', token),
    volatile: ['id', 'uri', 'url', 'created_at'],
  },
  {
    label: 'mcp',
    functionName: 'system-web-mcp-service',
    invocation: fromProgram(createInvocation('/mcp/service', {}, token, JSON.stringify(toolCall))),
    volatile: [],
  },
];

/** As a program sends it: without an origin. */
function fromProgram({ event, context }: Invocation): Invocation {
  const { origin: _origin, referer: _referer, ...headers } = event.headers;
  return { event: { ...event, headers }, context };
}

/** A picture in a form, in base64 as the gateway passes binary bodies. */
async function createUpload(path: string, token: string): Promise<Invocation> {
  const form = new FormData();
  form.set('type', 'image');
  form.set('file', new File([new Uint8Array(createPicture())], 'picture.png', { type: 'image/png' }));
  const sent = new Response(form);
  const bytes = Buffer.from(await sent.arrayBuffer());
  const { event, context } = createInvocation(path, {}, token, bytes.toString('base64'));
  const headers = {
    ...event.headers,
    'content-type': sent.headers.get('content-type') ?? '',
    'content-length': String(bytes.length),
  };
  return { event: { ...event, headers, isBase64Encoded: true }, context };
}
