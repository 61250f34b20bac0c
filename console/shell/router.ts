import { modulePages } from 'virtual:module-pages';
import { createRouter, createWebHistory, type RouteLocation } from 'vue-router';
import { description, loadDescription } from '../base/description.ts';
import { toError } from '../base/latest.ts';
import { administrator, ending, failure, isLoggedIn, join, loadAdministrator } from '../base/session.ts';
import { findLastView } from '../pages/views/last-view.ts';
import { PageShell, PageView, StandalonePage } from './load-frame.ts';
import LoginPage from './login/login-page.vue';
import { pageAfterLogin } from './login/page-after-login.ts';
import { checkVersion } from './version.ts';

export const router = createRouter({
  history: createWebHistory('/console/'),
  routes: [
    { path: '/login', component: LoginPage },
    { path: '/sso', component: () => import('./login/sso-page.vue') },
    { path: '/invitation', component: () => import('./login/invitation-page.vue') },
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
/** A page that is entered without saying what to show shows its last view again. */
function toLastView({ path, fullPath }: RouteLocation, from: RouteLocation): string | true {
  const view = path === fullPath && path !== from.path ? findLastView(path.slice(1)) : undefined;
  return view === undefined || `${path}?saved_view=${encodeURIComponent(view)}`;
}

router.beforeEach(async (to, from) => {
  const { path, fullPath, query } = to;
  // The provider, or a link, leads to them; they begin a login themselves.
  if (path === '/sso' || path === '/invitation') return true;
  if (!isLoggedIn.value) await join();
  if (path === '/login') return isLoggedIn.value ? pageAfterLogin(query) : true;
  const toLogin = () => ({
    path: '/login',
    query: { ...(fullPath !== '/' && { to: fullPath }), ...(ending.value && { why: ending.value }) },
  });
  if (!isLoggedIn.value) return toLogin();
  // The login form has read the administrator already.
  const missing = [
    ...(administrator.value ? [] : [loadAdministrator]),
    ...(description.value ? [] : [loadDescription]),
  ];
  try {
    await Promise.all(missing.map((load) => load()));
  } catch (error) {
    // The token was refused: `session.ts` has forgotten it. Any other failure is shown by the shell.
    if (!isLoggedIn.value) return toLogin();
    failure.value = toError(error);
  }
  return toLastView(to, from);
});
