import type * as z from 'zod/mini';
import type { Key } from '#shared/db/items.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import type { ErrorDetail } from '#shared/errors/app-error.ts';
import type { LocalisedText } from '#shared/schema/component.ts';
import type { Hints } from '#shared/schema/titled.ts';

export interface ConfigKey<Schema extends z.core.$ZodType = z.core.$ZodType> {
  /** Its output is stored. */
  schema: Schema;
  default: z.output<Schema>;
  /** Encrypted at rest and answered as a mask. @default false */
  secret?: boolean;
  /** A host or URL that gets the group's secrets: a change must contain the secrets again. @default false */
  endpoint?: boolean;
  description: LocalisedText;
  /** How the console shows it, if this does not follow from its schema; `options` makes it a choice. */
  hints?: Pick<Hints, 'type' | 'options' | 'media'>;
}

export interface ConfigGroup<Keys extends Record<string, ConfigKey> = Record<string, ConfigKey>> {
  name: string;
  /** The name of its form in the console, and of the right to save it. @default the name */
  title?: LocalisedText;
  keys: Keys;
  /** Checks the values of a save, and all `settings` after it. Faults refuse the save; each `path` is `group.key`. */
  findFaults?(
    given: Record<string, unknown>,
    settings: Record<string, unknown>,
  ): ErrorDetail[] | Promise<ErrorDetail[]>;
  /** Runs after each save in this process, also after one that failed: it may have been stored. */
  onSaved?(): void;
}

export const configKey = (group: string, name: string): Key => ({ pk: `CONFIG#${group}`, sk: name });

/** Values of a group's settings. */
export type SettingsOf<Group extends ConfigGroup> = {
  [Name in keyof Group['keys']]: z.output<Group['keys'][Name]['schema']>;
};

/** Declares a group of settings, for a module's manifest. */
export const defineConfigGroup = <Keys extends Record<string, ConfigKey>>(
  group: ConfigGroup<Keys>,
): ConfigGroup<Keys> => group;

/** Declares one setting; the compiler checks the default against the schema. */
export const setting = <Schema extends z.core.$ZodType>(key: ConfigKey<Schema>): ConfigKey<Schema> => key;

/** Declares a string setting, empty by default. */
export function textSetting(
  schema: z.core.$ZodType<string>,
  zh_CN: string,
  en: string,
  options: Pick<ConfigKey, 'secret' | 'endpoint' | 'hints'> = {},
): ConfigKey<z.core.$ZodType<string>> {
  return { schema, default: '', description: { zh_CN, en }, ...options };
}

/** `save.ts` writes settings. */
export const writtenKeys: ListWrittenKeys = () => [];
