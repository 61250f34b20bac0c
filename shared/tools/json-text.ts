import { AppError } from '#shared/errors/app-error.ts';
import { convertMedia } from '#shared/media/convert-media.ts';
import type { McpTool } from './mcp-tool.ts';

/** Largest result of a tool, as JSON in UTF-8, in bytes. */
export const resultLimitBytes = 64 * 1024;

/**
 * Writes a tool's result as JSON; `undefined` becomes `null`. Values that JSON does not have are refused:
 * `JSON.stringify` would leave them out or replace them.
 *
 * @param name of the tool
 * @throws AppError `tool.failed` with the path of the bad value
 */
export function toJsonText(name: string, result: unknown): string {
  try {
    return limitText(name, JSON.stringify(result, createReplacer(name)) ?? 'null');
  } catch (cause) {
    // A `toJSON` or getter threw, or the nesting is too deep.
    throw cause instanceof AppError ? cause : refuseResult(name, 'result', 'rule.tool_unreadable', { cause });
  }
}

/**
 * Writes the result of a tool as JSON, with full URLs and safe rich text where its output schema has media (media rule 1).
 * A tool that is made of a route has done this itself.
 *
 * @throws AppError `tool.failed`
 */
export function toAnswerText({ name, route, outputSchema }: AnsweringTool, result: unknown): string {
  return toJsonText(name, route || !outputSchema ? result : convertMedia(outputSchema, result));
}

type AnsweringTool = Pick<McpTool, 'name' | 'route' | 'outputSchema'>;

/** @throws AppError `tool.failed` if the text is longer than {@link resultLimitBytes} */
export function limitText(name: string, text: string): string {
  if (Buffer.byteLength(text) > resultLimitBytes) throw tooLarge(name);
  return text;
}

/** Creates the error for a bad result. @param found value for the rule's text */
export function refuseResult(
  name: string,
  path: string,
  rule: string,
  { found = '', cause }: { found?: string | number; cause?: unknown } = {},
): AppError {
  return new AppError('tool.failed', { params: { name, found }, errors: [{ path, message: rule }], cause });
}

const tooLarge = (name: string) =>
  refuseResult(name, 'result', 'rule.tool_too_large', { found: resultLimitBytes / 1024 });

function createReplacer(name: string) {
  const holders: unknown[] = [];
  const keys: string[] = [];
  let leastBytes = 0;
  return function (this: unknown, key: string, value: unknown): unknown {
    while (holders.length > 0 && holders.at(-1) !== this) {
      holders.pop();
      keys.pop();
    }
    const path = ['result', ...keys.slice(1), ...(holders.length > 0 ? [key] : [])].join('.');
    const found = nameNonJson(value);
    if (found) throw refuseResult(name, path, 'rule.tool_no_json', { found });
    // Stops a result that would grow without end, before it is written.
    if (value !== undefined || Array.isArray(this))
      leastBytes += typeof value === 'string' ? value.length : 1;
    if (leastBytes > resultLimitBytes) throw tooLarge(name);
    if (typeof value === 'object' && value !== null) {
      if (holders.includes(value)) throw refuseResult(name, path, 'rule.tool_cycle');
      holders.push(value);
      keys.push(key);
    }
    return value;
  };
}

/** Names the kind of a value that JSON does not have; undefined if JSON has it. */
function nameNonJson(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : String(value);
  if (['bigint', 'function', 'symbol'].includes(typeof value)) return typeof value;
  if (typeof value !== 'object' || value === null) return undefined;
  const kind = Object.prototype.toString.call(value).slice('[object '.length, -1);
  return kind === 'Object' || kind === 'Array' ? undefined : kind;
}
