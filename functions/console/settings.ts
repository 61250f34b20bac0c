import type { ModuleManifest } from '#shared/module/module.ts';
import type { ConfigKey } from '#shared/settings/group.ts';
import type { LocalisedText, Option, SettingField, SettingsGroup } from './description.ts';
import { describeField } from './fields.ts';

/** The groups of settings that a module declares. */
export function describeSettings({ name: module, configs = [] }: ModuleManifest): SettingsGroup[] {
  return configs.map(({ name, keys, title = { zh_CN: name, en: name } }) => ({
    name,
    module,
    title,
    fields: Object.entries(keys).map(([key, setting]) => describeSetting(key, setting)),
  }));
}

function describeSetting(name: string, key: ConfigKey): SettingField {
  const { schema, secret, endpoint, description, hints = {} } = key;
  const type = secret ? 'secret' : hints.options ? 'enum' : hints.type;
  const field = describeField(name, schema, 'input', [], type);
  const options = describeOptions(field.options, hints.options);
  return {
    ...field,
    ...splitDescription(description),
    required: false,
    default: secret ? '' : key.default,
    ...(options && { options }),
    ...(hints.media && { media: hints.media }),
    ...(endpoint && { isEndpoint: true }),
  };
}

/** `Region, as ap-guangzhou` is a label and a hint. */
function splitDescription({ zh_CN, en }: LocalisedText): Pick<SettingField, 'label' | 'hint'> {
  const [chinese = '', chineseHint = ''] = zh_CN.split(/[，；](.*)/);
  const [english = '', englishHint = ''] = en.split(/[,;] (.*)/);
  const hasHint = chineseHint !== '' || englishHint !== '';
  return {
    label: { zh_CN: chinese, en: english },
    ...(hasHint && { hint: { zh_CN: chineseHint, en: capitalise(englishHint) } }),
  };
}

const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Values of the schema with the labels of the setting; the setting's own values if the schema has none. */
function describeOptions(
  known: readonly Option[] = [],
  labels: NonNullable<ConfigKey['hints']>['options'],
): Option[] | undefined {
  if (!labels) return undefined;
  if (known.length === 0) return Object.entries(labels).map(([value, label]) => ({ value, label }));
  return known.map(({ value, label }) => ({ value, label: labels[String(value)] ?? label }));
}
