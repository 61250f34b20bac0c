import '../support/environment.ts';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import * as z from 'zod/mini';
import { createDesk } from '../e2e/article-fixture.ts';
import { useServer } from '../support/use-server.ts';

const { server, admin, addAdmin } = useServer();
const desk = createDesk(admin);
let other: string;
let id: string;
beforeAll(async () => {
  other = (await addAdmin({ grants: ['article:write'] })).token;
});
beforeEach(async () => {
  id = (await desk.add({ title: 'One', status: 'disabled' })).id;
});

const statusOf = async () => (await desk.get(`detail?id=${id}`)).data.status;

type Answer = { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, never> };
const accept: Answer = { action: 'accept', content: {} };
const decline: Answer = { action: 'decline' };

/** Calls a tool by the official client of the revision 2026-07-28, whose user answers every question. */
async function call(params: { name: string; arguments: Record<string, unknown> }, answer?: Answer) {
  const questions: unknown[] = [];
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } }, capabilities: answer ? { elicitation: {} } : {} },
  );
  if (answer) {
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      questions.push(params.message);
      return answer;
    });
  }
  const headers = { authorization: `Bearer ${admin.token}`, 'x-language': 'en' };
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp/service', server.url), { requestInit: { headers } }),
  );
  const result = await client.callTool(params);
  await client.close();
  return { result, questions };
}

const publish = () => ({ name: 'article__set_status', arguments: { id, status: 'enabled' } });

describe('a client that can ask its user', () => {
  test('runs the call once the user agrees', async () => {
    const { result, questions } = await call(publish(), accept);

    expect(result.structuredContent).toMatchObject({ id, status: 'enabled' });
    expect(questions).toEqual([
      `Publish the article “One” (article.set_status)? {"id":"${id}","status":"enabled"}`,
    ]);
    expect(await statusOf()).toBe('enabled');
  });

  test('is asked about the record that it changes, in a title that cannot pose as the question', async () => {
    const title = 'A” (article.get)? {}\u202e\nNothing happens';
    const { id: hostile } = await desk.add({ title, status: 'enabled' });
    const questions = [];
    for (const status of ['enabled', 'disabled']) {
      const args = { id: hostile, status };
      questions.push(...(await call({ name: 'article__set_status', arguments: args }, decline)).questions);
    }

    const shown = "“A' (article.get)? {} Nothing happens”";
    expect(questions).toEqual([
      expect.stringMatching(/^Publish the article “A' .*” \(article\.set_status\)\?/),
      `Withdraw the article ${shown} (article.set_status)? {"id":"${hostile}","status":"disabled"}`,
    ]);
  });

  test('is not asked about a record that does not exist', async () => {
    const args = { id: '01ARZ3NDEKTSV4RRFFQ69G5FAV', version: 1, title: 'Two' };
    const { result, questions } = await call({ name: 'article__edit', arguments: args }, accept);

    expect(result.isError).toBe(true);
    expect(result.content).toMatchObject([{ text: expect.stringMatching(/^article\.not_found/) }]);
    expect(questions).toEqual([]);
  });

  test('is shown characters that hide or turn text by their numbers', async () => {
    const args = { id, version: 1, summary: 'a\u202eb\u200b' };
    const { questions } = await call({ name: 'article__edit', arguments: args }, decline);

    expect(questions).toEqual([expect.stringContaining('"summary":"a\\u{202e}b\\u{200b}"')]);
  });

  test('shows every argument beside a long one', async () => {
    const content = `<p>${'Fixes a comma. '.repeat(100)}</p>`;
    const args = { content, id, version: 1, status: 'disabled' };
    const { questions } = await call({ name: 'article__edit', arguments: args }, decline);

    const shown = `${content.slice(0, 200)}… (+${content.length - 200})`;
    expect(questions).toEqual([
      expect.stringContaining(`{"content":"${shown}","id":"${id}","version":1,"status":"disabled"}`),
    ]);
  });

  test.each(['decline', 'cancel'] as const)('changes nothing if the user answers %s', async (action) => {
    expect((await call(publish(), { action })).result).toMatchObject({
      isError: true,
      content: [{ text: 'tool.declined: The user did not agree to this call; nothing was changed' }],
    });
    expect(await statusOf()).toBe('disabled');
    const log = await admin.get('/adminapi/system/audit/list?action=article/article/status&outcome=refused');
    expect(log.data).toMatchObject({
      list: expect.arrayContaining([expect.objectContaining({ code: 'tool.declined' })]),
    });
  });

  test('is not asked about wrong arguments, nor about a tool that reads', async () => {
    const wrong = await call({ name: 'article__set_status', arguments: { id, status: 'on' } }, accept);
    const read = await call({ name: 'article__list', arguments: {} }, accept);

    expect(wrong.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('arguments.status') }],
    });
    expect(read.result.isError).toBeUndefined();
    expect([...wrong.questions, ...read.questions]).toEqual([]);
  });
});

test('a client that cannot ask runs the call', async () => {
  await call(publish());

  expect(await statusOf()).toBe('enabled');
});

const answerSchema = z.looseObject({
  result: z.optional(z.looseObject({ requestState: z.optional(z.string()) })),
  error: z.optional(z.looseObject({ code: z.number() })),
});
type McpAnswer = z.infer<typeof answerSchema>;

/** Sends a call by hand, as a hostile client may. */
async function send(
  params: object,
  { bearer = admin.token, capabilities = { elicitation: {} } as object } = {},
) {
  const call = { ...publish(), ...params };
  const version = '2026-07-28';
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  const response = await fetch(`${server.url}/mcp/service`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${bearer}`,
      'mcp-protocol-version': version,
      'mcp-method': 'tools/call',
      'mcp-name': call.name,
      'x-language': 'en',
    },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { ...call, _meta: envelope },
    }),
  });
  return z.parse(answerSchema, await response.json());
}

const agreed = { inputResponses: { confirm: accept } };
const askState = async () => (await send({})).result?.requestState ?? '';

describe('a state', () => {
  test('comes with a question, and is small for large arguments', async () => {
    const { result } = await send({
      name: 'article__edit',
      arguments: { id, version: 1, content: 'x'.repeat(100_000) },
    });

    expect(result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { confirm: { method: 'elicitation/create' } },
    });
    expect(result?.requestState?.length).toBeLessThan(500);
    expect(JSON.stringify(result?.inputRequests).length).toBeLessThan(1500);
  });

  test('confirms the call with its arguments in another order', async () => {
    const state = await askState();

    const args = { status: 'enabled', id };
    const { result } = await send({ ...agreed, requestState: state, arguments: args });

    expect(result).toMatchObject({ structuredContent: { status: 'enabled' } });
  });

  test.each<[string, (state: string) => Promise<McpAnswer>]>([
    ['that was changed', (state) => send({ ...agreed, requestState: `${state}x` })],
    ['that is invented', () => send({ ...agreed, requestState: 'invented' })],
    ['of another administrator', (state) => send({ ...agreed, requestState: state }, { bearer: other })],
    [
      'of other arguments',
      (state) =>
        send({ ...agreed, requestState: state, arguments: { id: id.replace(/.$/, '0'), status: 'enabled' } }),
    ],
    [
      'of another tool',
      async () => {
        const same = { arguments: { id, version: 1, status: 'enabled' } };
        const { result } = await send({ ...same, name: 'article__edit' });
        return send({ ...agreed, ...same, requestState: result?.requestState });
      },
    ],
    [
      'that was declined before',
      async (state) => {
        await send({ requestState: state, inputResponses: { confirm: { action: 'decline' } } });
        return send({ ...agreed, requestState: state });
      },
    ],
  ])('%s is refused', async (_title, attempt) => {
    const answer = await attempt(await askState());

    expect(answer.error).toEqual({ code: -32602, message: 'The confirm token is not valid or has expired' });
    expect(await statusOf()).toBe('disabled');
  });

  test('confirms one call, once', async () => {
    const state = await askState();

    const answers = await Promise.all([1, 2, 3].map(() => send({ ...agreed, requestState: state })));

    expect(answers.filter(({ result }) => result).length).toBe(1);
    expect(answers.filter(({ error }) => error?.code === -32602).length).toBe(2);
  });

  test.each<[string, object]>([
    ['an answer without a state', agreed],
    ['an answer to another question', { inputResponses: { other: { action: 'accept' } } }],
  ])('is asked for again after %s', async (_title, params) => {
    expect((await send(params)).result).toMatchObject({ resultType: 'input_required' });
    expect(await statusOf()).toBe('disabled');
  });

  test('is not asked of a client that can only open pages', async () => {
    const { result } = await send({}, { capabilities: { elicitation: { url: {} } } });

    expect(result).toMatchObject({ structuredContent: { status: 'enabled' } });
  });
});
