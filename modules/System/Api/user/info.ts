import { requireProfile } from '#shared/auth/profiles.ts';
import { api } from '#shared/http/route.ts';
import { userProfiles } from '../../users/profile.ts';
import { userData } from '../../users/schema.ts';

export default api.get({
  summary: { zh_CN: '当前用户', en: 'The current user' },
  data: userData,
  prefetch: userProfiles.readOwn,
  handler: async ({ user, prefetched }) => requireProfile(prefetched, user),
});
