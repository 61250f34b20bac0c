import { ownAddRoute } from '#shared/records/api-routes.ts';
import { ownFields, tickets } from '../../tickets/tickets.ts';

export default ownAddRoute(tickets, {
  fields: ownFields,
  input: ['title', 'text', 'files'],
  values: { status: 'open' },
});
