import { AppError } from '#shared/errors/app-error.ts';
import { log } from '#shared/log/log.ts';
import { type InvokeOptions, prepareCall, runLimited, type ToolCall } from './invoke.ts';
import type { ToolRegistry } from './registry.ts';

/**
 * Checks a call before a user is asked to confirm it.
 *
 * @returns what the call does, in the user's language: what the tool says, or else its title
 * @throws AppError what would refuse the call
 */
export async function describeForUser(
  registry: ToolRegistry,
  call: ToolCall,
  options: InvokeOptions,
): Promise<string> {
  const { name } = call;
  const { locale, request } = options;
  const prepared = await prepareCall(registry, call, options);
  try {
    const said = await runLimited(name, prepared, options, async (context) => prepared.describe(context));
    if (said) return said[locale];
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown;
    log.error('tool.describe', { tool: name, request_id: request.id, error: thrown });
    throw new AppError('tool.failed', { params: { name }, cause: thrown });
  }
  const { title } = (await registry.loadDescriptions())[name] ?? {};
  return title?.[locale] ?? name;
}
