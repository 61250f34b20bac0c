import { defineModule } from '#shared/module/module.ts';

export default defineModule({
  name: 'Ticket',
  title: { zh_CN: '工单', en: 'Tickets' },
  version: '0.1.0',
  requires: ['System', 'UserCenter'],
  adminFolders: {
    ticket: {
      zh_CN: '工单',
      en: 'Tickets',
      records: 'ticket',
      purpose: { zh_CN: '用户提出的问题。', en: 'What users have asked for.' },
    },
  },
  roles: { editor: ['ticket:write'], auditor: ['ticket:read'] },
  dictionaries: [
    {
      type_key: 'ticket_status',
      name: '工单状态',
      public: true,
      items: [
        { value: 'open', name: '待处理', sort: 30 },
        { value: 'waiting', name: '等待用户', sort: 20 },
        { value: 'closed', name: '已关闭', sort: 10 },
      ],
    },
  ],
});
