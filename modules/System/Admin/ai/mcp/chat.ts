import { admin } from '#shared/http/route.ts';
import { chat } from '../../../assistant/chat.ts';
import { chatAnswer, chatInput } from '../../../assistant/schema.ts';

export default admin.post({
  summary: { zh_CN: '与 AI 助手对话', en: 'Talk to the assistant' },
  body: chatInput,
  data: chatAnswer,
  middleware: ['throttle:ai'],
  needs: ['tools'],
  limits: { timeoutSeconds: 29 },
  errors: ['ai.disabled', 'ai.not_configured', 'ai.provider_failed', 'tool.confirm_invalid'],
  reference: {
    description: {
      zh_CN: '助手执行会修改数据的工具之前会先请求确认。',
      en: 'The assistant asks for a confirmation before it uses a tool that changes data.',
    },
  },
  handler: (context) => chat(context.body, context),
});
