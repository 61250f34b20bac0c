import { changeFlows } from './changes.ts';
import { chatFlows } from './chats.ts';
import { dictionaryFlows } from './dictionary.ts';
import { fileFlows, moveFile } from './files.ts';
import type { Flow } from './flow.ts';
import { loginFlows } from './logins.ts';
import { oauthFlows } from './oauth.ts';
import { roleFlows } from './roles.ts';
import { settingsFlows } from './settings.ts';
import { toolFlows } from './tools.ts';

/** All flows that are run with faults. */
export const flows: readonly Flow[] = [
  ...loginFlows,
  ...dictionaryFlows,
  ...settingsFlows,
  ...roleFlows,
  ...oauthFlows,
  ...changeFlows,
  ...fileFlows,
  moveFile,
  ...chatFlows,
  ...toolFlows,
];
