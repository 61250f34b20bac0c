import * as z from 'zod/mini';
import { credential, line, optionalUrl, text } from '#shared/schema/text.ts';
import { defineConfigGroup, type SettingsOf, setting, textSetting } from '#shared/settings/group.ts';
import { readSettings } from '#shared/settings/store.ts';

/** Settings of the assistant; its provider has an API compatible with OpenAI's. */
export const ai = defineConfigGroup({
  name: 'ai',
  title: { zh_CN: 'AI 助手', en: 'Assistant' },
  keys: {
    enabled: setting({
      schema: z.boolean(),
      default: false,
      description: { zh_CN: '启用 AI 助手', en: 'Turn the assistant on' },
    }),
    base_url: textSetting(
      optionalUrl(500),
      '接口地址（兼容 OpenAI），例如 https://api.openai.com/v1',
      'Base URL of an API compatible with OpenAI, for example https://api.openai.com/v1',
      { endpoint: true },
    ),
    api_key: textSetting(credential(500), '接口密钥', 'API key', { secret: true }),
    model: textSetting(line(100), '模型名称', 'Name of the model'),
    system_prompt: textSetting(text(0, 4000), '附加的系统提示词', 'Instructions added to the system prompt', {
      hints: { type: 'multiline' },
    }),
    max_steps: setting({
      schema: z.int().check(z.gte(1), z.lte(10)),
      default: 5,
      description: {
        zh_CN: '一次对话最多调用工具的次数，1 到 10',
        en: 'Maximum tool calls of a chat, 1 to 10',
      },
    }),
  },
});

export type AiSettings = SettingsOf<typeof ai>;

export const isAiConfigured = ({ base_url, api_key, model }: AiSettings): boolean =>
  base_url !== '' && api_key !== '' && model !== '';

export type AiDescription = Awaited<ReturnType<typeof describeAi>>;

/** The settings that a tool may show: no key, no prompt. */
export async function describeAi() {
  const settings = await readSettings(ai);
  const { enabled, model, max_steps } = settings;
  // User, password, query and fragment may be secret.
  const url = URL.parse(settings.base_url);
  const base_url = url ? `${url.origin}${url.pathname}` : '';
  return { enabled, configured: isAiConfigured(settings), model, base_url, max_steps };
}
