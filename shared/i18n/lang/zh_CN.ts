import createLocale from 'zod/v4/locales/zh-CN.js';
import messages from './zh_CN.json' with { type: 'json' };

export { messages };
export const localise = createLocale().localeError;
