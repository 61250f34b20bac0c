import type { ProjectCopy } from '../support/project-copy.ts';

const manifest = `
  import { defineModule } from '#shared/module/module.ts';
  export default defineModule({ name: 'Lab', title: { zh_CN: '实验', en: 'Lab' }, version: '1.0.0' });
`;

/** Source of a tool of the module Lab. */
export function labTool(className: string, ability: string, handle: string, rest = ''): string {
  return `
    import * as z from 'zod/mini';
    import { AppError } from '#shared/errors/app-error.ts';
    import { McpTool } from '#shared/tools/mcp-tool.ts';
    const input = z.strictObject({});
    export default class ${className} extends McpTool<typeof input> {
      override readonly name = 'lab.${ability}';
      override readonly description = 'An experiment.';
      override readonly inputSchema = input;
      override readonly access = 'read';
      override async handle() { ${handle} }
      ${rest}
    }
  `;
}

/** Tools that misbehave, by name. */
const hostile: Record<string, string> = {
  throws: "throw new Error('the cause of it');",
  refuses: "throw new AppError('dict.type_not_found');",
  circles: 'const all: unknown[] = []; all.push({ all }); return { all };',
  counts: 'return { rows: [{ id: 1n }] };',
  floods: "return { text: 'x'.repeat(10_000_000) };",
  answers: 'return undefined;',
  runs: 'return { run: () => 1 };',
};

/** Adds the module Lab with its hostile tools to a copy of the project. */
export function addLab(copy: ProjectCopy): void {
  copy.write('modules/Lab/module.ts', manifest);
  for (const [ability, handle] of Object.entries(hostile)) {
    const className = `${ability[0]?.toUpperCase()}${ability.slice(1)}Tool`;
    copy.write(`modules/Lab/Mcp/Tools/${className}.ts`, labTool(className, ability, handle));
  }
}
