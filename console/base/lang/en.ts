export { default as element } from 'element-plus/es/locale/lang/en.mjs';
export { default as messages } from './en.json';
