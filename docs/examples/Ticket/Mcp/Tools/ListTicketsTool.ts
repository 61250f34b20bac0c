import { fromRoute } from '#shared/tools/from-route.ts';
import listRoute from '../../Admin/ticket/list.ts';

export default class ListTicketsTool extends fromRoute(listRoute, {
  name: 'ticket.list',
  description: 'Newest first.',
}) {}
