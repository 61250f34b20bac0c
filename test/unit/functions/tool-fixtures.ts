/** Values of a tool's or adapter's source; the others are valid. */
interface ToolText {
  /** The class. By default, the tool's name is derived from it. */
  class?: string;
  name?: string;
  base?: 'McpTool' | 'AiTool';
  description?: string;
  schema?: string;
  /** Put into the class. */
  body?: string;
  /** How the class is exported. */
  exported?: string;
}

const imports = `
  import * as z from 'zod/mini';
  import { AiTool, adapt } from '#shared/tools/ai-tool.ts';
  import { McpTool } from '#shared/tools/mcp-tool.ts';
`;

/** Source of a valid MCP tool of the module Shop. */
export function toolSource(text: ToolText = {}): string {
  const { class: className = 'CountTool', base = 'McpTool', exported = 'export default' } = text;
  const { name = 'shop.count', description = 'Counts.', schema = 'z.strictObject({})', body = '' } = text;
  return `${imports}
    ${exported} class ${className} extends ${base} {
      name = '${name}';
      description = '${description}';
      inputSchema = ${schema};
      access = 'read';
      async handle() { return {}; }
      ${body}
    }
  `;
}

/** Source of an independent adapter. */
export const adapterSource = (text: ToolText = {}) => toolSource({ base: 'AiTool', ...text });

/** Source of an adapter that is derived from the tool in a file. */
export function derivedSource(className: string, from = `../../Mcp/Tools/${className}.ts`): string {
  return `${imports}
    import Tool from '${from}';
    export default class ${className} extends adapt(Tool) {}
  `;
}
