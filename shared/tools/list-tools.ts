import type { Rights } from '#shared/auth/permission.ts';
import { listPermitted, type ToolRegistry } from './registry.ts';

/** The tools that a caller may run, sorted by name. `chat`: whether the assistant can call it. */
export async function listTools(registry: ToolRegistry, rights: Rights) {
  const descriptions = await registry.loadDescriptions();
  return listPermitted(registry, rights).flatMap(({ name, access, loadAdapter }) => {
    const { description, input_schema } = descriptions[name] ?? {};
    if (description === undefined || input_schema === undefined) return [];
    return [{ name, description, input_schema, access, chat: loadAdapter !== undefined }];
  });
}
