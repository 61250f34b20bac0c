import * as z from 'zod/mini';
import { apiTokenScopes } from '#shared/auth/api-token.ts';
import { components } from '#shared/schema/component.ts';
import { text } from '#shared/schema/text.ts';
import { adminId } from './schema.ts';

export const apiTokenId = adminId;
export const newApiToken = z.strictObject({
  name: text(1, 50),
  scope: z.enum(apiTokenScopes),
  days: z.int().check(z.gte(1), z.lte(365)),
});

export const apiTokenData = z
  .strictObject({
    id: apiTokenId,
    name: z.string(),
    scope: z.enum(apiTokenScopes),
    expires_at: z.iso.datetime(),
    created_at: z.iso.datetime(),
    last_used_at: z.nullable(z.iso.datetime()),
  })
  .register(components, { id: 'ApiToken' });
