import type { OpenAI } from 'openai';
import { toInputSchema } from '#shared/tools/json-schema.ts';
import type { ToolRegistry } from '#shared/tools/registry.ts';
import type { ToolCalls } from './tool-calls.ts';
import { toProviderName } from './tool-name.ts';

/** A conversation of a model with our tools. */
export interface Conversation {
  /** Runs until the model has answered, may call no more, or waits. @throws what the SDK throws */
  run(signal: AbortSignal): Promise<void>;
  /** What the model has said last; undefined while it has not answered at all. */
  reply(): string | undefined;
}

export interface ConversationOptions {
  client: OpenAI;
  model: string;
  messages: OpenAI.ChatCompletionMessageParam[];
  registry: ToolRegistry;
  calls: ToolCalls;
  /** Most answers of the model. */
  limit: number;
}

/** Prepares a conversation by the SDK's tool runner; the model may call what has an adapter. */
export function createConversation(options: ConversationOptions): Conversation {
  const { client, model, messages, registry, calls, limit } = options;
  const begun = new Map<string, Promise<string>[]>();
  let reply: string | undefined;
  const keyOf = (name: string, text: string) => `${name} ${text}`;
  const isOver = () => calls.pending.length > 0 || calls.isExhausted;

  // The runner answers calls of unknown tools by itself, so all calls of an answer begin here, in their order.
  function hear({ choices }: OpenAI.ChatCompletion): void {
    const message = choices[0]?.message;
    reply = message?.content ?? '';
    for (const call of message?.tool_calls ?? []) {
      if (call.type !== 'function') continue;
      const { name, arguments: text } = call.function;
      const key = keyOf(name, text);
      begun.set(key, [...(begun.get(key) ?? []), calls.take(name, text)]);
    }
  }

  const answerCall = async (name: string, text: string) => begun.get(keyOf(name, text))?.shift() ?? '';

  return {
    reply: () => reply,
    async run(signal) {
      const tools = listRunnable(registry, answerCall);
      const runner = client.chat.completions.runTools(
        { model, messages, tools },
        {
          maxChatCompletions: limit,
          signal,
          afterCompletion(_completion, current) {
            if (isOver()) current.abort();
          },
        },
      );
      runner.on('chatCompletion', hear);
      try {
        await runner.done();
      } catch (error) {
        if (!isOver()) throw error;
      }
    },
  };
}

/** The tools that have an adapter, in the words of the adapter, as the SDK runs them. */
function listRunnable(registry: ToolRegistry, answerCall: (name: string, text: string) => Promise<string>) {
  return registry.tools.flatMap((tool) => {
    const adapter = registry.adapterOf(tool.name);
    if (!adapter) return [];
    const name = toProviderName(tool.name);
    return {
      type: 'function' as const,
      function: {
        name,
        description: adapter.description,
        parameters: toInputSchema(adapter.inputSchema),
        function: (text: string) => answerCall(name, text),
      },
    };
  });
}
