import { defineDemo } from '#shared/module/demo.ts';
import { closeLog } from './audit/close-log.ts';
import {
  addDemoAdmins,
  addDemoTokens,
  removeDemoAdmin,
  removeDemoRole,
  removeDemoToken,
} from './demo/admins.ts';
import { addDemoAiUsage, removeDemoAiUsage } from './demo/ai-usage.ts';
import { addDemoDictionaries, removeDemoDictionaries } from './demo/dictionaries.ts';
import { addDemoFiles, removeDemoFiles } from './demo/files.ts';
import { isEntryLeftOut, isPastOpen } from './demo/request.ts';

export default defineDemo({
  async fill(run) {
    await addDemoAdmins(run);
    await addDemoFiles(run);
    await addDemoDictionaries(run);
    await addDemoAiUsage(run);
    await addDemoTokens(run);
  },
  /** Closes the time that has new entries of earlier days: without its digests `audit:verify` would miss them. */
  async finish(run) {
    if (await isPastOpen()) await closeLog();
    else if (isEntryLeftOut())
      run.print('Audit log: no entries of earlier days, because digests cover that time already');
  },
  remove: {
    roles: removeDemoRole,
    administrators: removeDemoAdmin,
    api_tokens: removeDemoToken,
    days_of_ai_usage: removeDemoAiUsage,
    ...removeDemoFiles,
    ...removeDemoDictionaries,
  },
});
