import { defineErrors } from '#shared/errors/app-error.ts';

export default defineErrors({
  'article.not_found': 404, // no article has this ID; for users, no enabled article
});
