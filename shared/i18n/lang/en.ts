import createLocale from 'zod/v4/locales/en.js';
import messages from './en.json' with { type: 'json' };

export { messages };
export const localise = createLocale().localeError;
