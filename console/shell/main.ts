import 'element-plus/theme-chalk/base.css';
import 'element-plus/theme-chalk/dark/css-vars.css';
import './style.css';
import '../base/theme.ts';
import { createApp } from 'vue';
import { i18n, locale, useLocale } from '../base/locale.ts';
import App from './console-app.vue';
import { router } from './router.ts';

useLocale(locale.value, false);
createApp(App).use(i18n).use(router).mount('#app');
