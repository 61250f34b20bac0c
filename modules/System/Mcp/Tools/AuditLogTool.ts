import { fromRoute } from '#shared/tools/from-route.ts';
import listRoute from '../../Admin/audit/list.ts';

export default class AuditLogTool extends fromRoute(listRoute, {
  name: 'system.audit_log',
  description: 'Newest first: who did what, when, and with which outcome.',
}) {}
