import { defineUninstall } from '#shared/module/module.ts';
import { tickets } from './tickets/tickets.ts';

export default defineUninstall({ run: async () => ({ tickets: await tickets.removeAll() }) });
