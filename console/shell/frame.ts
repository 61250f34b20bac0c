// What stands around pages, in one file, which the login form does without.
export { default as PageShell } from './page-shell.vue';
export { default as PageView } from './page-view.vue';
export { default as StandalonePage } from './standalone-page.vue';
