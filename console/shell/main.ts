import 'element-plus/theme-chalk/base.css';
import 'element-plus/theme-chalk/dark/css-vars.css';
import './style.css';
import '../base/theme.ts';
import { createApp } from 'vue';
import { loadPart } from '../base/load-part.ts';
import { i18n, locale, useLocale } from '../base/locale.ts';
import { fieldParts } from '../fields/parts.ts';
import App from './console-app.vue';
import { router } from './router.ts';

const parts = {
  mediaPicker: loadPart(() => import('../kit/files/media-picker.vue')),
  richTextEditor: loadPart(() => import('../kit/rich-text/rich-text-editor.vue')),
};
// No `await`: the file of the locale imports this one, so each would wait for the other.
useLocale(locale.value, false).then(() =>
  createApp(App).use(i18n).use(router).provide(fieldParts, parts).mount('#app'),
);
