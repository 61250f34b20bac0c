import { recordPart } from '#shared/audit/recording.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { validate } from '#shared/i18n/validate.ts';
import type { ModuleManifest } from '#shared/module/module.ts';
import { createSaveSchema, findGroup } from '#shared/settings/save.ts';

/**
 * Reads the settings of a request, and records them for the audit log.
 *
 * @throws AppError `config.unknown_key`, `request.invalid`
 */
export function readReceivedSettings(
  modules: readonly ModuleManifest[],
  body: { group: string; values: Record<string, unknown> },
) {
  const group = findGroup(
    modules.flatMap((module) => module.configs ?? []),
    body.group,
  );
  const schema = createSaveSchema(group, body.values);
  const { value, issues } = validate(schema, body.values, 'body.values');
  if (issues) throw new AppError('request.invalid', { errors: issues });
  recordPart('values', schema, value);
  return { group, values: value };
}
