import { type OpenAiDouble, startOpenAi } from '../../doubles/openai.ts';

/** Requests to the assistant's provider. */
export const assistantAccess = { key: 'sk-hostile', model: 'hostile' };

/** A model that calls a tool with strange arguments every other time, and then speaks. */
export async function startAssistant(): Promise<OpenAiDouble> {
  const double = await startOpenAi(assistantAccess);
  const calls = [
    { name: 'system__latest_articles', arguments: { limit: 3 } },
    { name: 'system__overview', arguments: '{"__proto__":{}}' },
    { name: '__proto__', arguments: '[' },
    { name: 'system.overview' },
  ];
  let turn = 0;
  double.script(() => {
    turn += 1;
    // Kept by the double for tests that read them.
    double.requests.length = 0;
    const call = calls[Math.floor(turn / 2) % calls.length];
    return turn % 2 === 0 || !call ? { content: 'text \u0000 \ud800 <b>' } : { calls: [call] };
  });
  return double;
}
