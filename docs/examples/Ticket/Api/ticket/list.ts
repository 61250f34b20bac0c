import { ownListRoute } from '#shared/records/api-routes.ts';
import { ownFields, tickets } from '../../tickets/tickets.ts';

export default ownListRoute(tickets, { fields: ownFields });
