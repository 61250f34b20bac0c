import type { ConsoleContext } from '#console/kit/context.ts';

/** What the service has verified of a request to connect. */
export type ConsentRequest = Awaited<ReturnType<ConsoleContext['client']['systemAdminOauthRequest']>>['data'];
