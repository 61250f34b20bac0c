import type { AdminCaller } from '#shared/auth/principal.ts';
import { createTexts } from '#shared/i18n/texts.ts';
import type { ToolCaller } from '#shared/tools/invoke.ts';

/** A super administrator who calls tools. */
export const createAdmin = (id: string): AdminCaller => ({
  ...{ id, account: 'root', name: 'Root', avatar: '', status: 'enabled' },
  ...{ super: true, role_ids: [], two_factor: false, grants: [] },
  ...{ last_login_at: null, last_login_ip: null, created_at: '2026-01-01T00:00:00.000Z' },
});

/** A request that carries tool calls. @param remainingMs time left, in milliseconds */
export const createRequest = (remainingMs = () => 29_000): ToolCaller['request'] => ({
  id: 'request-1',
  address: '203.0.113.7',
  remainingMs,
});

/** The context of a route, in English. */
export const createCaller = (admin: AdminCaller): ToolCaller => ({
  admin,
  sessionEpoch: 1,
  request: createRequest(),
  locale: 'en',
  texts: createTexts('en'),
});
