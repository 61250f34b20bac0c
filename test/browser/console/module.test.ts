import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from '@jest/globals';
import type { OpenAiDouble } from '../../doubles/openai.ts';
import { eventually } from '../../support/eventually.ts';
import { projectRoot } from '../../support/local-server.ts';
import { copyProject } from '../../support/project-copy.ts';
import { runService } from '../../support/run-service.ts';
import { browserTest } from '../chromium.ts';
import { useDesk } from './fixture.ts';
import { settingsOf, startProvider } from './provider.ts';

// A module that was just made, and a tool of it that writes.

const copy = copyProject(['console', 'package-lock.json']);
let provider: OpenAiDouble;

const noteTool = `
  import * as z from 'zod/mini';
  import { McpTool } from '#shared/tools/mcp-tool.ts';
  const input = z.strictObject({ text: z.string() });
  export default class NoteTool extends McpTool<typeof input> {
    override readonly name = 'shop.note';
    override readonly description = 'Writes a note';
    override readonly inputSchema = input;
    override async authorize() {}
    override async handle({ text }: z.output<typeof input>) { return { noted: text }; }
  }
`;
const noteAdapter = `
  import { adapt } from '#shared/tools/ai-tool.ts';
  import McpNoteTool from '../../Mcp/Tools/NoteTool.ts';
  export default class NoteTool extends adapt(McpNoteTool) {}
`;

/** A page without a framework. */
const boardPage = `
  import type { ConsoleContext } from '#console/kit/context.ts';
  import { definePage } from '#console/kit/page.ts';
  export const page = definePage({ path: 'board', title: { zh_CN: '看板', en: 'Board' }, commands: [{ title: { zh_CN: '打印看板', en: 'Print the board' }, to: '#print' }] });
  export function mount(element: HTMLElement, { dictionary }: ConsoleContext) {
    const heading = document.createElement('h1');
    element.append(heading);
    void dictionary.load(['article_category']).then(() => {
      const names = dictionary.options('article_category').map(({ value }) => dictionary.name('article_category', value));
      heading.textContent = 'Board of ' + names.join(', ');
    });
  }
`;

/** A card of the start page, for those who may see its page. */
const boardCard = '<script setup lang="ts"></script><template><p>Nothing on the board</p></template>';

/** The examples of the docs: a page, and a button on a page of another module. */
function readExamples(): string[] {
  const docs = readFileSync(join(projectRoot, 'docs/modules.md'), 'utf8');
  return [...docs.matchAll(/```vue\n([\s\S]*?)```/g)].map(([, code = '']) => code);
}

/** A button over the list of articles, for those who may do what no administrator may. */
const hiddenButton = `
  <script lang="ts">
  import { defineButton } from '#console/kit/button.ts';
  export const button = defineButton({ page: 'article/article', slot: 'toolbar', permission: 'shop/none' });
  </script>
  <script setup lang="ts">const text = 'Hidden';</script>
  <template><button>{{ text }}</button></template>
`;
const toolbarButton = `
  <script lang="ts">
  import { defineButton } from '#console/kit/button.ts';
  export const button = defineButton({ page: 'article/article', slot: 'toolbar' });
  </script>
  <script setup lang="ts">
  import type { PageTools } from '#console/kit/button.ts';
  const { tools } = defineProps<{ tools: PageTools }>();
  </script>
  <template><button type="button" @click="tools.reload()">Read articles</button></template>
`;

function setShop(state: { installed: boolean; enabled: boolean }): void {
  const file = 'modules/modules.json';
  const states = JSON.parse(readFileSync(join(copy.root, file), 'utf8'));
  copy.write(file, JSON.stringify({ ...states, Shop: state }));
}

const desk = useDesk(
  async () => {
    provider = await startProvider();
    const made = await runService(copy.root, {}, 'module:make', 'Shop');
    expect(made).toMatchObject({ code: 0 });
    copy.write('modules/Shop/Mcp/Tools/NoteTool.ts', noteTool);
    copy.write('modules/Shop/Ai/Tools/NoteTool.ts', noteAdapter);
    copy.write('modules/Shop/Console/board.ts', boardPage);
    copy.write('modules/Shop/Console/board.card.vue', boardCard);
    const [kindsPage = '', praiseButton = ''] = readExamples();
    copy.write('modules/Shop/Console/kinds.vue', kindsPage);
    copy.write('modules/Shop/Console/buttons/praise.vue', praiseButton);
    copy.write('modules/Shop/Console/buttons/read.vue', toolbarButton);
    copy.write('modules/Shop/Console/buttons/hidden.vue', hiddenButton);
    setShop({ installed: true, enabled: true });
    return {};
  },
  () => provider?.stop(),
  copy.root,
);
beforeAll(() => desk.call('system/setting/config/save', settingsOf(provider)));

describe('a module that was made by a command', () => {
  browserTest('shows its own page and its generated page', async () => {
    const { page } = await desk.open();
    const menu = page.locator('.shell-side .side-menu');
    const links = menu.locator('a[href^="/console/shop/"]');
    await links.first().waitFor();
    const paths = await Promise.all((await links.all()).map((link) => link.getAttribute('href')));

    expect(paths.sort()).toEqual(['/console/shop/board', '/console/shop/kind', '/console/shop/overview']);
    for (const path of paths) {
      await menu.locator(`a[href="${path}"]`).click();
      await page.locator('#content h1').waitFor();
    }

    await menu.getByRole('link', { name: 'Board' }).click();
    await page.getByRole('heading', { name: /^Board of .*新闻资讯/ }).waitFor();
  });

  browserTest('has a card on the start page, and entries of Ctrl+K', async () => {
    const { page } = await desk.open();
    await page.getByText('Nothing on the board').waitFor();

    await page.keyboard.press('Control+K');
    await page.keyboard.type('print the');
    await page.getByRole('option', { name: /^Print the board/ }).click();

    await page.getByRole('heading', { name: /^Board of/ }).waitFor();
    expect(new URL(page.url()).hash).toBe('#print');
  });

  browserTest('has buttons of its own on the generated page of its folder', async () => {
    const { page } = await desk.open({ path: 'shop/kind' });
    await page
      .getByRole('row', { name: /special/ })
      .getByRole('button', { name: 'Show value' })
      .click();
    await page.locator('.el-message').getByText('special', { exact: true }).waitFor();

    const read = page.waitForResponse(/shop\/kind\/list/);
    await page.getByRole('button', { name: 'Read again' }).click();

    expect((await read).status()).toBe(200);
  });

  browserTest('has buttons of its own on the generated page of another module', async () => {
    const article = { title: 'Kingfishers', category: 'news', content: '<p>Seen</p>' };
    const { id } = Object(await desk.call('article/article/add', article));
    const { page } = await desk.open({ path: 'article/article' });
    const praise = page.getByRole('row', { name: /Kingfishers/ }).getByRole('button', { name: 'Praise' });
    await praise.click();
    await page.locator('.el-message').getByText('Kingfishers', { exact: true }).waitFor();

    const read = page.waitForResponse(/article\/article\/list/);
    await page.getByRole('button', { name: 'Read articles' }).click();
    expect((await read).status()).toBe(200);
    expect(await page.getByText('Hidden').count()).toBe(0);

    await page.goto(`${desk.url}/console/article/article#detail/${id}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Praise' }).waitFor();
  });

  browserTest('changes something by the assistant only after a confirmation', async () => {
    provider.script(
      { content: 'I would note that.', calls: [{ name: 'shop__note', arguments: { text: 'Buy apples' } }] },
      { content: 'It is noted.' },
    );
    const { page } = await desk.open({ path: 'system/assistant' });
    await page.getByRole('textbox', { name: 'Message' }).fill('Note: buy apples');
    await page.keyboard.press('Enter');

    const card = page.getByRole('region', { name: 'shop.note' });
    await card.getByText('Buy apples').waitFor();
    const { y = 0 } = (await page.getByText('Note: buy apples').boundingBox()) ?? {};
    expect(y).toBeGreaterThan(0);
    expect(provider.requests.length).toBe(1);
    await card.getByRole('button', { name: 'Confirm' }).click();

    await page.getByText('It is noted.').waitFor();
    await page.getByText('"noted"').first().waitFor({ state: 'attached' });
  });

  browserTest(
    'leaves no trace in the menu when it is disabled',
    async () => {
      setShop({ installed: true, enabled: false });
      const readDescription = async () => (await fetch(`${desk.url}/console/description.json`)).text();
      const text = await eventually(readDescription, (each) => !each.includes('shop'));
      expect(text).not.toContain('shop');

      const { page } = await desk.open();
      await page.locator('.side-menu').getByRole('link', { name: 'Roles' }).waitFor();
      expect(await page.locator('a[href^="/console/shop/"]').count()).toBe(0);
    },
    120_000,
  );
});
