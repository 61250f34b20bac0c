export { default as element } from 'element-plus/es/locale/lang/zh-cn.mjs';
export { default as messages } from './zh_CN.json';
