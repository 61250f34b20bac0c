import * as z from 'zod/mini';
import type { LocalisedText } from '#shared/schema/component.ts';
import { credential } from '#shared/schema/text.ts';
import { type ConfigGroup, type ConfigKey, textSetting } from '#shared/settings/group.ts';
import { type EngineSettings, notConfigured, type PrivateFiles } from '../engine.ts';

interface CloudGroup<Keys extends Record<string, ConfigKey>> extends ConfigGroup<Keys> {
  title: LocalisedText;
  /** Settings that must not be empty, besides those of every cloud (specification, "Storage engines"). */
  required?: readonly (keyof Keys & string)[];
  /** Undefined if the engine takes no private files. */
  privateFiles?: Omit<PrivateFiles, 'isSeparate'>;
}

/** Declares a cloud's group of settings. */
export const defineCloudGroup = <Keys extends Record<string, ConfigKey>>({
  required = [],
  privateFiles,
  ...group
}: CloudGroup<Keys>) => ({
  ...group,
  ...(privateFiles && { privateFiles: { ...privateFiles, isSeparate: true } }),
  findFaults: (_given: Record<string, unknown>, { bucket, private_bucket }: Record<string, unknown>) =>
    private_bucket && private_bucket === bucket
      ? [{ path: `${group.name}.private_bucket`, message: 'rule.private_bucket' }]
      : [],
  required: ['bucket', 'access_key', 'secret_key', 'domain', ...required],
});

/** The required settings that are empty, also for the deployment. */
export function listMissing(group: EngineSettings, settings: object): string[] {
  const values: Record<string, unknown> = { ...fillFromDeployment(group, settings) };
  return [...group.required, ...(group.requiredBy?.(values) ?? [])].filter((name) => !values[name]);
}

/** The settings, with values of the deployment for empty ones. */
export function fillFromDeployment<Settings extends object>(
  { deployed }: EngineSettings,
  settings: Settings,
): Settings {
  const given = new Map(Object.entries(settings));
  const filled = Object.entries(deployed?.(Object.fromEntries(given)) ?? {}).filter(
    ([name]) => !given.get(name),
  );
  return { ...settings, ...Object.fromEntries(filled) };
}

/** @throws AppError `storage.not_configured` with the names of the missing settings */
export function requireSettings(group: EngineSettings, settings: object): void {
  const missing = listMissing(group, settings);
  if (missing.length > 0) throw notConfigured(`${group.name} lacks ${missing.join(', ')}`);
}

/** A string of this form, or an empty one. */
export const optionalText = (form: RegExp, max = 200) =>
  z.union([z.literal(''), z.string().check(z.trim(), z.maxLength(max), z.regex(form))]);

/** A URL, or a host with or without a port. */
export const hostOrUrl = optionalText(/^(https?:\/\/)?[A-Za-z0-9.-]+(:\d{1,5})?\/?$/);
/** A part of a host's name. */
export const hostLabel = optionalText(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/);

export const bucket = textSetting(hostLabel, '存储空间名称（Bucket）', 'Bucket');

export const accessSettings = {
  access_key: textSetting(credential(200), 'AccessKey / SecretId', 'Access key or SecretId'),
  secret_key: textSetting(credential(200), 'SecretKey', 'Secret key', { secret: true }),
  // Some engines send signed requests there.
  domain: textSetting(
    hostOrUrl,
    '访问域名，例如 https://cdn.example.com',
    'Domain of files, for example https://cdn.example.com',
    { endpoint: true },
  ),
};

/** The bucket of private files; the schema is that of the other bucket. */
export const privateBucket = ({ schema }: typeof bucket) =>
  textSetting(
    schema,
    '私有文件的存储空间，不得公开读取；留空则不能存放私有文件',
    'Bucket of private files, without public reading; if empty, no private files can be stored',
  );

/** The domain of private files. */
export const privateDomain = textSetting(
  hostOrUrl,
  '私有文件的访问域名，绑定到私有存储空间',
  'Domain of private files, bound to their bucket',
  { endpoint: true },
);
