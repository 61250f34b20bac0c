import * as z from 'zod/mini';
import { text } from '#shared/schema/text.ts';
import { defineConfigGroup, setting, textSetting } from '#shared/settings/group.ts';
import { siteStatusConfig } from '#shared/settings/site-status.ts';

/** Any string, compared exactly; JSON `0` and `false` become `'0'` and `'false'`. */
const siteStatus = z.pipe(
  z.union([z.string().check(z.maxLength(64)), z.number(), z.boolean()]),
  z.transform(String),
);

export const basics = defineConfigGroup({
  name: siteStatusConfig.group,
  title: { zh_CN: '站点', en: 'Site' },
  keys: {
    [siteStatusConfig.key]: setting({
      schema: siteStatus,
      default: '1',
      description: {
        zh_CN: '站点状态，关闭后用户无法使用本站',
        en: 'Site status; users cannot use a closed site',
      },
      hints: {
        options: { 1: { zh_CN: '开放', en: 'Open' }, 0: { zh_CN: '关闭', en: 'Closed' } },
      },
    }),
    site_name: textSetting(text(0, 100), '站点名称', 'Name of the site'),
    [siteStatusConfig.messageKey]: textSetting(
      text(0, 500),
      '关闭时的提示，留空则用默认提示',
      'Message while closed; if empty, the usual one',
      { hints: { type: 'multiline' } },
    ),
  },
});
