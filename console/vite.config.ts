import vue from '@vitejs/plugin-vue';
import elementPlus from 'unplugin-element-plus/vite';
import { defineConfig } from 'vite';
import { checkboxState } from './checkbox-state.ts';
import { firstLoad, pageFrame, startPage } from './first-load.ts';
import { modulePages } from './module-pages.ts';

/** The local server that `npm run console` has found. */
const service = `http://127.0.0.1:${process.env.PORT || 3000}`;

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  // What vue-i18n is not used for here: its older API, and its components and directives.
  define: { __VUE_I18N_LEGACY_API__: 'false', __VUE_I18N_FULL_INSTALL__: 'false' },
  plugins: [vue(), elementPlus({}), checkboxState(), modulePages()],
  build: {
    outDir: '../.build/console/site',
    emptyOutDir: true,
    target: 'es2023',
    // The policy allows no inline script, and fonts from this host only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1500,
    rolldownOptions: {
      output: {
        codeSplitting: { includeDependenciesRecursively: false, groups: [firstLoad, pageFrame, startPage] },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    fs: { allow: ['..'] },
    proxy: Object.fromEntries(
      [
        '/adminapi',
        '/api',
        '/openapi.json',
        '/storage',
        '/health',
        '/console/description.json',
        '/.well-known',
        '/mcp',
      ].map((path) => [path, service]),
    ),
  },
});
