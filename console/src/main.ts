import 'element-plus/theme-chalk/base.css';
import 'element-plus/theme-chalk/dark/css-vars.css';
import './style.css';
import './theme.ts';
import { createApp } from 'vue';
import App from './console-app.vue';
import { i18n, locale, useLocale } from './locale.ts';
import { router } from './router.ts';

await useLocale(locale.value, false);
createApp(App).use(i18n).use(router).mount('#app');
