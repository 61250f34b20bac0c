import * as z from 'zod/mini';
import { defineConfigGroup, setting } from '#shared/settings/group.ts';
import { forgetRetention, retention } from './retention.ts';

/** Settings of the audit log. */
export const audit = defineConfigGroup({
  name: retention.group,
  title: { zh_CN: '审计日志', en: 'Audit log' },
  onSaved: forgetRetention,
  keys: {
    [retention.key]: setting({
      schema: z.int().check(z.gte(retention.min), z.lte(retention.max)),
      default: retention.default,
      description: {
        zh_CN: '审计记录的保留天数，30 至 3650；只对新记录生效',
        en: 'Days to keep entries of the audit log, 30 to 3650; for new entries only',
      },
    }),
  },
});
