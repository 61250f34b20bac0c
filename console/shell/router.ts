import { modulePages } from 'virtual:module-pages';
import { createRouter, createWebHistory } from 'vue-router';
import { description, loadDescription } from '../base/description.ts';
import { toError } from '../base/latest.ts';
import { administrator, failure, isLoggedIn, join, loadAdministrator } from '../base/session.ts';
import LoginPage from './login/login-page.vue';
import { pageAfterLogin } from './login/page-after-login.ts';
import PageShell from './page-shell.vue';
import PageView from './page-view.vue';
import StandalonePage from './standalone-page.vue';
import { checkVersion } from './version.ts';

// The first pages are in one file: for so few bytes, a request takes longer.
export const router = createRouter({
  history: createWebHistory('/console/'),
  routes: [
    { path: '/login', component: LoginPage },
    ...modulePages
      .filter(({ standalone }) => standalone)
      .map((page) => ({ path: `/${page.path}`, component: StandalonePage, props: { page } })),
    {
      path: '/',
      component: PageShell,
      children: [
        { path: '', component: PageView },
        // In parts: as one parameter, its slashes would be encoded when only the query changes.
        { path: ':path(.*)*', component: PageView },
      ],
    },
  ],
});

router.afterEach(() => void checkVersion());
router.beforeEach(async ({ path, fullPath, query }) => {
  if (!isLoggedIn.value) await join();
  if (path === '/login') return isLoggedIn.value ? pageAfterLogin(query) : true;
  const login = { path: '/login', query: fullPath === '/' ? {} : { to: fullPath } };
  if (!isLoggedIn.value) return login;
  // The login form has read the administrator already.
  const missing = [
    ...(administrator.value ? [] : [loadAdministrator]),
    ...(description.value ? [] : [loadDescription]),
  ];
  try {
    await Promise.all(missing.map((load) => load()));
  } catch (error) {
    // The token was refused: `session.ts` has forgotten it. Any other failure is shown by the shell.
    if (!isLoggedIn.value) return login;
    failure.value = toError(error);
  }
  return true;
});
