import * as z from 'zod/mini';
import { createRandom, type DemoRun, type DemoThing, daysBefore } from '#shared/module/demo.ts';
import chatRoute from '../Admin/ai/mcp/chat.ts';
import { recordAiUsage } from '../assistant/usage.ts';
import { findDemoAdmin } from './admins.ts';
import { runRequest } from './request.ts';

const days = 30;
const messages = [
  '本周新增了多少用户？',
  'Which articles are new this week?',
  '总结昨天的访问情况',
  'How many files are there?',
];

const usageData = z.object({
  adminId: z.string(),
  moment: z.string(),
  calls: z.int(),
  input_tokens: z.int(),
  output_tokens: z.int(),
});

/** Adds what the assistant used in a month, by both administrators; less at weekends. */
export async function addDemoAiUsage(run: DemoRun): Promise<void> {
  const random = createRandom(7);
  for (let day = days; day >= 1; day -= 1) {
    for (const account of ['demo-editor', 'demo-auditor'] as const) {
      const moment = daysBefore(run, day, 10 + 6 * random());
      const calls = Math.floor(random() * (isWeekend(moment) ? 3 : 12));
      const usage = {
        calls,
        input_tokens: calls * (900 + Math.floor(random() * 700)),
        output_tokens: calls * 240,
      };
      const message = messages[(day + calls) % messages.length];
      if (calls === 0) continue;
      const admin = await findDemoAdmin(run, account);
      const request = {
        run,
        admin,
        moment,
        action: 'system/ai/mcp/chat',
        route: chatRoute,
        input: { message },
      };
      await run.add(
        'days_of_ai_usage',
        `${account} ${day}`,
        () => runRequest(request, () => recordAiUsage(admin.id, usage)),
        { adminId: admin.id, moment: moment.toISOString(), ...usage },
      );
    }
  }
}

const isWeekend = (moment: Date): boolean => moment.getDay() % 6 === 0;

/** Subtracts what was added to a day: the day may have other usage too. */
export function removeDemoAiUsage({ data }: DemoThing, { at }: Pick<DemoRun, 'at'>): Promise<void> {
  const { adminId, moment, ...usage } = z.parse(usageData, data);
  const { calls, input_tokens, output_tokens } = usage;
  const less = { calls: -calls, input_tokens: -input_tokens, output_tokens: -output_tokens };
  return at(new Date(moment), () => recordAiUsage(adminId, less));
}
