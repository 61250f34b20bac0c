import en from './lang/en.json' with { type: 'json' };
import zhCN from './lang/zh_CN.json' with { type: 'json' };
import type { Catalogue } from './messages.ts';

/** The messages of the platform, for the build and commands. Functions load them on first use (`texts.ts`). */
export const sharedMessages: Catalogue = { zh_CN: zhCN, en };
