import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { copyProject } from '../support/project-copy.ts';
import { readCodeBlocks } from '../support/read-code-blocks.ts';
import { shippedModules } from '../support/shipped-modules.ts';
import { useServer } from '../support/use-server.ts';
import { createDesk, unknownId } from './article-fixture.ts';
import { addLab, labTool } from './lab-tools.ts';
import { sendRpc } from './rpc-client.ts';

const base = '/adminapi/system/ai/mcp';

const copy = copyProject();
addLab(copy);
copy.enable(...shippedModules, 'Lab');
const { server, admin } = useServer({ root: copy.root });

const call = (name: string, given = {}) => admin.in('en').post(`${base}/call`, { name, arguments: given });
const listed = z.object({ tools: z.array(z.object({ name: z.string(), chat: z.boolean() })) });
const listTools = async () => z.parse(listed, (await admin.get(`${base}/tools`)).data).tools;

describe('a tool that misbehaves', () => {
  test.each([
    ['circles', 'result.all.0.all', 'Contains itself'],
    ['counts', 'result.rows.0.id', 'JSON cannot hold this value: bigint'],
    ['runs', 'result.run', 'JSON cannot hold this value: function'],
    ['floods', 'result', 'The result is larger than 64 KiB'],
  ])('like lab.%s is reported, with the path', async (ability, path, message) => {
    const answer = await call(`lab.${ability}`);

    expect(answer).toMatchObject({ status: 502, code: 'tool.failed', errors: [{ path, message }] });
    expect(answer.message).toBe(`The tool lab.${ability} failed; the cause is in the log`);
  });

  test('by throwing is reported, with the cause only in the log', async () => {
    const answer = await call('lab.throws');

    expect(answer).toMatchObject({ status: 502, code: 'tool.failed', errors: [] });
    expect(answer.text).not.toContain('the cause of it');
    await server.prints(/"event":"tool".*"outcome":"tool\.failed".*Error: the cause of it/);
  });

  test('is reported by rpc too, with HTTP 200', async () => {
    const request = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'lab.circles' }, id: 1 };

    expect(await sendRpc(server.url, request, { authorization: `Bearer ${admin.token}` })).toMatchObject({
      status: 200,
      json: {
        error: { code: -32603, data: { code: 'tool.failed', errors: [{ path: 'result.all.0.all' }] } },
      },
    });
  });
});

test('an AppError of a tool is answered unchanged', async () => {
  expect(await call('lab.refuses')).toMatchObject({ status: 404, code: 'dict.type_not_found' });
});

test('a tool without an answer answers null', async () => {
  const data = { name: 'lab.answers', result: null };
  expect(await call('lab.answers')).toMatchObject({ status: 200, data });
});

describe('the running local server', () => {
  const file = 'modules/Lab/Mcp/Tools/FreshTool.ts';
  /** Changes the copy, and waits until the server reports it. */
  async function change(work: () => void, word: RegExp): Promise<void> {
    const before = server.printed().split(word).length - 1;
    work();
    await server.prints(new RegExp(`(?:(?:${word.source})[\\s\\S]*){${before + 1}}`));
  }

  test('picks up new, changed, broken and removed tools', async () => {
    const write = (name: string, handle: string) => copy.write(file, labTool(name, 'fresh', handle));
    await change(() => write('FreshTool', 'return 1;'), /Reloaded\./);
    const created = await call('lab.fresh');
    await change(() => write('FreshTool', 'return 2;'), /Reloaded\./);
    const changed = await call('lab.fresh');
    await change(() => write('StaleTool', 'return 3;'), /FreshTool\.ts: its class is/);
    const broken = await call('lab.fresh');
    await change(() => rmSync(join(copy.root, file)), /Reloaded\./);
    const removed = await call('lab.fresh');

    expect(created).toMatchObject({ status: 200, data: { result: 1 } });
    expect(changed).toMatchObject({ status: 200, data: { result: 2 } });
    expect(broken).toMatchObject({ status: 200, data: { result: 2 } });
    expect(removed).toMatchObject({ status: 404, code: 'tool.not_registered' });
  });

  test('warns about an adapter that differs from its tool, and continues', async () => {
    const source = `
      import McpAnswersTool from '../../Mcp/Tools/AnswersTool.ts';
      import { adapt } from '#shared/tools/ai-tool.ts';
      export default class AnswersTool extends adapt(McpAnswersTool) {
        override readonly description = 'Another.';
      }`;

    await change(() => copy.write('modules/Lab/Ai/Tools/AnswersTool.ts', source), /Reloaded\./);

    const fault = 'its description differs from that of its MCP tool lab.answers';
    expect(server.printed()).toContain(`Warning: modules/Lab/Ai/Tools/AnswersTool.ts: ${fault}`);
    expect(await listTools()).toContainEqual({ name: 'lab.answers', chat: true });
  });

  test('runs the tools of docs/write-a-tool.md unchanged', async () => {
    const blocks = readCodeBlocks('docs/write-a-tool.md');
    const sources = blocks.filter(({ language }) => language === 'ts');
    const [, body = ''] =
      /-d '(\{ "name".*\})'/.exec(blocks.find(({ language }) => language === 'sh')?.code ?? '') ?? [];
    const desk = createDesk(admin);
    await desk.addCategory('news');
    const { id } = await desk.add({ title: 'One', status: 'enabled' });

    await change(() => {
      for (const { file: target = '', code } of sources) copy.write(target, code);
    }, /Reloaded\./);
    const { name, arguments: given } = JSON.parse(body);
    const before = await call(name, given);
    const hidden = await call('article.hide', { id });
    const unknown = await call('article.hide', { id: unknownId });
    const deleted = await call('article.delete', { id });
    const again = await call('article.delete', { id });

    expect(sources.map(({ file: target }) => target)).toEqual([
      'modules/Article/Mcp/Tools/DeleteArticleTool.ts',
      'modules/Article/Mcp/Tools/TitlesTool.ts',
      'modules/Article/Ai/Tools/TitlesTool.ts',
      'modules/Article/Mcp/Tools/HideTool.ts',
    ]);
    expect(before.data).toMatchObject({ result: { articles: [{ id, title: 'One', status: 'enabled' }] } });
    expect(hidden.data).toMatchObject({ result: { id, title: 'One', status: 'disabled' } });
    expect(deleted).toMatchObject({ status: 200, data: { result: null } });
    expect(again).toMatchObject({ status: 404, code: 'article.not_found' });
    expect(unknown).toMatchObject({ status: 404, code: 'article.not_found' });
    expect(await listTools()).toEqual(
      expect.arrayContaining([
        { name: 'article.titles', chat: true },
        { name: 'article.hide', chat: false },
      ]),
    );
  });
});
