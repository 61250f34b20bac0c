import type { AppError } from '#shared/errors/app-error.ts';
import type { ToolRegistry } from '#shared/tools/registry.ts';
import type { InvokeOptions } from '#shared/tools/tool-call.ts';
import type { ToolFailure } from './schema.ts';

/** For whom the assistant works, and with what. */
export interface ChatContext extends Omit<InvokeOptions, 'door' | 'root'> {
  registry: ToolRegistry;
  /** Puts a refusal into words of the administrator's language. */
  describeError(error: AppError): ToolFailure;
}
