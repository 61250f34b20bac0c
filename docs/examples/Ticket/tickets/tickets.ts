import * as z from 'zod/mini';
import { adminRef } from '#modules/System/public/admin-ref.ts';
import { userRef } from '#modules/System/public/user-ref.ts';
import { defineRecord } from '#shared/records/define-record.ts';
import { dictValue } from '#shared/records/fields/dict-value.ts';
import { attachments } from '#shared/records/fields/values.ts';
import { label } from '#shared/schema/marks.ts';
import { text } from '#shared/schema/text.ts';
import { titled } from '#shared/schema/titled.ts';

/** What users have asked for. */
export const tickets = defineRecord({
  module: 'ticket',
  name: 'ticket',
  title: { zh_CN: '工单', en: 'ticket', plural: 'tickets' },
  fields: {
    title: titled({ zh_CN: '标题', en: 'Title' }, label(text(1, 100))),
    text: titled({ zh_CN: '内容', en: 'Text', type: 'multiline' }, text(1, 5000)),
    files: titled({ zh_CN: '附件', en: 'Attachments' }, z.optional(attachments({ max: 5 }))),
    status: titled({ zh_CN: '状态', en: 'Status' }, dictValue('ticket_status')),
    assignee: titled({ zh_CN: '处理人', en: 'Assignee' }, z.optional(adminRef())),
    user_id: titled({ zh_CN: '用户', en: 'User' }, userRef()),
  },
  filters: ['status', 'user_id'],
  search: ['title'],
  own: 'user_id',
  revisions: { days: 200 },
});

/** What its user sees of a ticket. */
export const ownFields = ['title', 'text', 'files', 'status'] as const;
