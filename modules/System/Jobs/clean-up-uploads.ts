import { defineJob } from '#shared/module/module.ts';
import { cleanUpUploads } from '../files/uploads/clean-up.ts';

/** Removes the remains of unfinished uploads. */
export default defineJob({
  title: { zh_CN: '清理未完成的上传', en: 'Clean up unfinished uploads' },
  schedule: 'rate(15 minutes)',
  storage: true,
  limits: { timeoutSeconds: 300 },
  run: ({ isOver }) => cleanUpUploads({ isOver }),
});
