import { AppError } from '#shared/errors/app-error.ts';
import { describeError, type Texts } from '#shared/i18n/messages.ts';
import { McpRefusal, type McpToolResult } from '#shared/tools/mcp-service.ts';
import type { ArgumentSource } from '#shared/tools/mcp-tool.ts';
import { toPortableName } from '#shared/tools/tool-name.ts';

/** The tools that list the values of a tool's arguments, by argument. */
export type ArgumentSources = Readonly<Record<string, ArgumentSource>>;

/**
 * A failed tool, wrong arguments included, is a result that the model can read (MCP 2025-11-25, "Tools", error
 * handling). An unknown name, or a wrong state, is an error of the protocol.
 *
 * @param sources of the called tool, without those that the caller may not use
 */
export function explain(error: unknown, texts: Texts, sources: ArgumentSources): McpToolResult {
  if (!(error instanceof AppError)) throw error;
  const { code, message, errors = [] } = describeError(error, texts);
  if (code === 'tool.not_registered') throw new McpRefusal(`${message}; ${texts.t('rule.tool_name')}`);
  if (code === 'tool.confirm_invalid') throw new McpRefusal(message);
  const lines = errors.map((issue) => `${issue.path}: ${issue.message}`);
  const wrong = new Set(errors.map(({ path }) => /^arguments\.(\w+)/.exec(path)?.[1]));
  // An error without a place, that something does not exist, is about one of the IDs.
  const isMissing = error.status === 404 && errors.length === 0;
  for (const [argument, source] of Object.entries(sources)) {
    if (!wrong.has(argument) && !(isMissing && !source.arguments)) continue;
    lines.push(`arguments.${argument}: ${texts.t('rule.tool_source', { call: formatCall(source) })}`);
  }
  return { content: [{ type: 'text', text: [`${code}: ${message}`, ...lines].join('\n') }], isError: true };
}

const formatCall = ({ tool, arguments: args }: ArgumentSource): string =>
  [toPortableName(tool), args ? JSON.stringify(args) : []].flat().join(' ');
