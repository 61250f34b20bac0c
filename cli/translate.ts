import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTranslate, type Messages, type Translate } from '#shared/i18n/messages.ts';
import { root } from './project.ts';

/** Translates into English, with the messages of the platform and of all modules, also disabled ones. */
export function translate(...[key, params]: Parameters<Translate>): string {
  const messages = globSync('modules/*/lang/en.json', { cwd: root }).map(readMessages);
  const catalogues = messages.map((en) => ({ en, zh_CN: {} }));
  return createTranslate('en', catalogues)(key, params);
}

function readMessages(file: string): Messages {
  try {
    return JSON.parse(readFileSync(join(root, file), 'utf8'));
  } catch {
    return {}; // The generator reports the fault. Until then, keys are shown instead of messages.
  }
}
