import * as z from 'zod/mini';
import { findAdminByAccount, hasFactor } from '#modules/System/admins/admin-record.ts';
import { resetFactor } from '#modules/System/factors/reset-factor.ts';
import { label } from '#shared/schema/marks.ts';
import { createCommand } from '../command.ts';
import { useEnvironment } from '../environment.ts';
import { recordCommand } from '../record-command.ts';
import { confirm } from '../terminal.ts';

const input = z.object({ account: label(z.string()) });

export const adminUnlock = createCommand(
  'admin:unlock',
  'remove the second factor of an administrator who has lost it; their logins and tokens end',
)
  .argument('<account>', 'account of the administrator')
  .option('--yes', 'do not ask')
  .action(async (account, { yes = false }) => {
    useEnvironment();
    const record = await findAdminByAccount(account);
    if (!record) throw new Error(`There is no administrator ${account}`);
    if (!hasFactor(record)) return console.log(`Nothing to do: ${account} has no second factor`);
    await confirm(`Remove the second factor of ${account}? Their logins and tokens end.`, yes);
    await recordCommand('admin:unlock', input, { account }, () => resetFactor(record.id));
    console.log(`Removed: ${account} logs in with the password alone, or sets up a new factor`);
  });
