import { addRoute } from '#shared/records/admin-routes.ts';
import { tickets } from '../../tickets/tickets.ts';

export default addRoute(tickets);
