/// <reference types="vite/client" />

declare module 'virtual:module-pages' {
  export const modulePages: import('./pages.ts').ModulePage[];
}

declare module 'element-plus/es/locale/lang/*.mjs' {
  const language: import('element-plus/es/locale/index.mjs').Language;
  export default language;
}
