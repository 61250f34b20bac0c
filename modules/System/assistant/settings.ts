import * as z from 'zod/mini';
import { credential, httpUrl, line, text } from '#shared/schema/text.ts';
import { defineConfigGroup, type SettingsOf, setting } from '#shared/settings/group.ts';

const optionalUrl = z.union([z.literal(''), httpUrl(500)]);

/** The administrators' assistant, of any provider that speaks as OpenAI does. */
export const ai = defineConfigGroup({
  name: 'ai',
  keys: {
    enabled: setting({
      schema: z.boolean(),
      default: false,
      description: { zh_CN: '启用 AI 助手', en: 'Whether the assistant is on' },
    }),
    base_url: setting({
      schema: optionalUrl,
      default: '',
      endpoint: true,
      description: {
        zh_CN: '接口地址（兼容 OpenAI），例如 https://api.openai.com/v1',
        en: 'Base URL of an API as OpenAI’s, such as https://api.openai.com/v1',
      },
    }),
    api_key: setting({
      schema: credential(500),
      default: '',
      secret: true,
      description: { zh_CN: '接口密钥', en: 'API key' },
    }),
    model: setting({
      schema: line(100),
      default: '',
      description: { zh_CN: '模型名称', en: 'Name of the model' },
    }),
    system_prompt: setting({
      schema: text(0, 4000),
      default: '',
      description: { zh_CN: '附加的系统提示词', en: 'What the model is told beside our own instructions' },
    }),
    max_steps: setting({
      schema: z.int().check(z.gte(1), z.lte(10)),
      default: 5,
      description: {
        zh_CN: '一次对话最多调用工具的次数，1 到 10',
        en: 'Most tool calls of one chat, 1 to 10',
      },
    }),
  },
});

export type AiSettings = SettingsOf<typeof ai>;

/** Whether a provider can be asked. */
export const isAiConfigured = ({ base_url, api_key, model }: AiSettings): boolean =>
  base_url !== '' && api_key !== '' && model !== '';
