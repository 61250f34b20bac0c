import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../support/local-server.ts';
import { copyProject } from '../support/project-copy.ts';

const moduleSource = `
import { defineModule } from '#shared/module/module.ts';
export default defineModule({ name: 'Test', title: { zh_CN: '测试', en: 'Test' }, version: '1.0.0' });
`;

const toolSource = (className: string, ability: string, rest: string) => `
import * as z from 'zod/mini';
import { McpTool } from '#shared/tools/mcp-tool.ts';

export default class ${className} extends McpTool {
  override readonly name = 'test.${ability}';
  override readonly description = 'A tool for tests.';
  override readonly inputSchema = z.strictObject({});
  ${rest}
}
`;

const tools: [className: string, ability: string, rest: string][] = [
  ['SimpleTextTool', 'simple_text', `override readonly access = 'read'; async handle() { return 'text'; }`],
  [
    'ErrorHandlingTool',
    'error_handling',
    `override readonly access = 'read'; async handle() { throw new Error('by intent'); }`,
  ],
  ['WriteTool', 'write', `override async authorize() {} async handle() { return { written: true }; }`],
];

const writing = `override async authorize() {} async handle() { return { written: true }; }`;
/** Scenarios of the conformance suite call them. */
const asking = ['elicitation', 'request_state', 'tampered_state'];
for (const scenario of asking) {
  const className = `Ask${scenario.replace(/(?:^|_)(.)/g, (_sign, letter: string) => letter.toUpperCase())}Tool`;
  tools.push([
    className,
    `input_required_result_${scenario}`,
    `override readonly confirm = true; ${writing}`,
  ]);
}

/** A copy of the project with a module `Test`: tools that answer a text, that fail, and that write. */
export function copyProjectWithTools(): { root: string } {
  const project = copyProject();
  const modules = JSON.parse(readFileSync(join(projectRoot, 'modules/modules.json'), 'utf8'));
  project.write('modules/modules.json', JSON.stringify({ ...modules, Test: { enabled: true } }));
  project.write('modules/Test/module.ts', moduleSource);
  for (const [className, ability, rest] of tools) {
    project.write(`modules/Test/Mcp/Tools/${className}.ts`, toolSource(className, ability, rest));
  }
  return project;
}
