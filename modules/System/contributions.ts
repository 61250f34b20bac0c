import { defineContributions, waitingLimit } from '#shared/module/contributions.ts';
import { countEnabledAdmins } from './admins/admins.ts';
import { countDueDigests, countRefusedLogins } from './audit/waiting.ts';
import { countFailedJobs } from './jobs/waiting.ts';
import { readUserCounts } from './users/counters.ts';

const permission = 'system/audit/list';

export default defineContributions({
  statistics: {
    users: {
      title: { zh_CN: '用户', en: 'Users' },
      to: 'user-center/user',
      permission: 'user-center/user/list',
      async read(days) {
        const { total, byDay } = await readUserCounts(days);
        return { total, added: byDay.map(({ count }) => count) };
      },
    },
    admins: {
      title: { zh_CN: '启用的管理员', en: 'Enabled administrators' },
      to: 'system/admin',
      permission: 'system/admin/list',
      read: async () => ({ total: await countEnabledAdmins() }),
    },
  },
  waiting: {
    refused_logins: {
      title: { zh_CN: '24 小时内被拒绝的登录', en: 'Logins refused within 24 hours' },
      to: 'system/audit?action=system/login/&outcome=refused',
      permission,
      count: () => countRefusedLogins(waitingLimit),
    },
    failed_jobs: {
      title: { zh_CN: '失败或未运行的任务', en: 'Jobs that failed or did not run' },
      to: 'system/job',
      permission: 'system/job/list',
      count: countFailedJobs,
    },
    due_digests: {
      title: { zh_CN: '逾期的审计摘要（小时）', en: 'Audit digests that are due (hours)' },
      to: 'system/audit',
      permission,
      count: () => countDueDigests(),
    },
  },
});
