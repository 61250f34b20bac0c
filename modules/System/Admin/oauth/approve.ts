import * as z from 'zod/mini';
import { environment } from '#shared/config/environment.ts';
import { admin } from '#shared/http/route.ts';
import { titled } from '#shared/schema/titled.ts';
import { confirmPassword, isOldLogin } from '../../admins/confirm-password.ts';
import { ownPassword } from '../../admins/schema.ts';
import { checkRequest, verifyClient } from '../../oauth/authorization.ts';
import { approveConnection } from '../../oauth/connections.ts';
import { addToRedirect } from '../../oauth/redirects.ts';
import { authorizationErrors, authorizeParameters } from '../../oauth/schema.ts';
import { grants } from '../../roles/schema.ts';

export default admin.post({
  summary: { zh_CN: '同意或拒绝 OAuth 连接', en: 'Approve or refuse an OAuth connection' },
  right: 'login',
  // It may fetch the URL that the caller gives as client ID.
  middleware: ['throttle:oauth-consent', 'throttle:password'],
  body: z.strictObject({
    ...authorizeParameters,
    approved: titled({ zh_CN: '同意', en: 'Approved' }, z.boolean()),
    /** The part of the caller's rights that the connection carries; without it all of them. One that covers nothing gives nothing. */
    grants: z.optional(grants.check(z.minLength(1))),
    /** Needed to approve if the login is older than 10 minutes. */
    password: z.optional(ownPassword),
  }),
  data: z.strictObject({ redirect: titled({ zh_CN: '重定向地址', en: 'Redirect' }, z.string()) }),
  errors: [...authorizationErrors, 'auth.factor_required', 'oauth.client_not_found', 'version_conflict'],
  handler: async ({ adminId, sessionEpoch, passwordShownAt, body, locale, requireRecentFactor }) => {
    // A connection stays for months.
    if (body.approved) requireRecentFactor();
    // Checked again: a browser can change the parameters.
    const verified = await verifyClient(body);
    const request = checkRequest(body);
    if (body.approved && isOldLogin(passwordShownAt)) await confirmPassword(adminId, body.password);
    const code = body.approved
      ? await approveConnection({ id: adminId, epoch: sessionEpoch, locale }, verified, {
          ...request,
          grants: body.grants,
        })
      : undefined;
    const answer = {
      ...(code ? { code } : { error: 'access_denied' }),
      state: body.state,
      iss: environment().publicUrl,
    };
    return { redirect: addToRedirect(verified.redirectUri, answer) };
  },
});
