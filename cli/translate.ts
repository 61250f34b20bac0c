import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ErrorDetail } from '#shared/errors/app-error.ts';
import { localise, messages } from '#shared/i18n/lang/en.ts';
import { createTranslate, describeDetails, type Messages, type Texts } from '#shared/i18n/messages.ts';
import { root } from './project.ts';

/** English texts, with the messages of the platform and of all modules, also disabled ones. */
export function english(): Texts {
  const others = globSync('modules/*/lang/en.json', { cwd: root }).map(readMessages);
  return { t: createTranslate([messages, ...others]), localise };
}

/** Errors of the input, in English. */
export const translateDetails = (details: readonly ErrorDetail[]) => describeDetails(details, english());

function readMessages(file: string): Messages {
  try {
    return JSON.parse(readFileSync(join(root, file), 'utf8'));
  } catch {
    return {}; // The generator reports the fault. Until then, keys are shown instead of messages.
  }
}
