import { userProfiles } from '#modules/System/public/user-records.ts';
import { userData } from '#modules/System/public/user-schema.ts';
import { requireProfile } from '#shared/auth/profiles.ts';
import { api } from '#shared/http/route.ts';

export default api.get({
  summary: { zh_CN: '个人资料', en: 'Profile of the current user' },
  data: userData,
  prefetch: userProfiles.readOwn,
  handler: async ({ user, prefetched }) => requireProfile(prefetched, user),
});
