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

// No `await`: the file of the locale imports this one, so each would wait for the other.
useLocale(locale.value, false).then(() => createApp(App).use(i18n).use(router).mount('#app'));
