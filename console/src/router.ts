import { createRouter, createWebHistory } from 'vue-router';
import { loadDescription } from './description.ts';
import { administrator, failure, isLoggedIn, loadAdministrator } from './session.ts';

export const router = createRouter({
  history: createWebHistory('/console/'),
  routes: [
    { path: '/login', component: () => import('./login-page.vue') },
    {
      path: '/',
      component: () => import('./page-shell.vue'),
      children: [
        { path: '', component: () => import('./page-view.vue') },
        { path: ':path(.*)', component: () => import('./page-view.vue') },
      ],
    },
  ],
});

router.beforeEach(async ({ path, fullPath }) => {
  if (path === '/login') return isLoggedIn.value ? '/' : true;
  const login = { path: '/login', query: fullPath === '/' ? {} : { to: fullPath } };
  if (!isLoggedIn.value) return login;
  if (administrator.value) return true;
  try {
    await Promise.all([loadAdministrator(), loadDescription()]);
  } catch (error) {
    // The token was refused: `session.ts` has forgotten it. Any other failure is shown by the shell.
    if (!isLoggedIn.value) return login;
    failure.value = error instanceof Error ? error : new Error(String(error));
  }
  return true;
});
