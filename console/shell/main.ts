import 'element-plus/theme-chalk/base.css';
import 'element-plus/theme-chalk/dark/css-vars.css';
import './styles/colours.css';
import './styles/type.css';
import './styles/buttons.css';
import './style.css';
import '../base/look/brand.ts';
import '../base/look/density.ts';
import { createApp } from 'vue';
import { i18n, locale, useLocale } from '../base/locale.ts';
import App from './console-app.vue';
import { router } from './router.ts';

useLocale(locale.value, false);
createApp(App).use(i18n).use(router).mount('#app');
