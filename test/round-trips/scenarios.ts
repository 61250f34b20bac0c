import type { EventScenarios, RequestScenarios } from './scenario.ts';
import { administratorScenarios } from './scenarios/administrators.ts';
import { articleScenarios } from './scenarios/articles.ts';
import { captchaScenarios } from './scenarios/captcha.ts';
import { dictionaryScenarios } from './scenarios/dictionary.ts';
import { fileScenarios } from './scenarios/files.ts';
import { oauthScenarios } from './scenarios/oauth.ts';
import { secondFactorScenarios } from './scenarios/second-factor.ts';
import { eventScenarios, serviceScenarios } from './scenarios/service.ts';
import { settingScenarios } from './scenarios/settings.ts';
import { ssoScenarios } from './scenarios/sso.ts';
import { toolScenarios } from './scenarios/tools.ts';
import { uploadScenarios } from './scenarios/uploads.ts';
import { userScenarios } from './scenarios/users.ts';
import { viewScenarios } from './scenarios/views.ts';

/** The scenarios of all functions. */
export const requests: RequestScenarios = {
  ...administratorScenarios,
  ...articleScenarios,
  ...captchaScenarios,
  ...dictionaryScenarios,
  ...fileScenarios,
  ...oauthScenarios,
  ...secondFactorScenarios,
  ...serviceScenarios,
  ...settingScenarios,
  ...ssoScenarios,
  ...toolScenarios,
  ...uploadScenarios,
  ...userScenarios,
  ...viewScenarios,
};

export const events: EventScenarios = eventScenarios;

/** The function that a scenario is of. */
export const functionOf = (scenario: string): string => scenario.split(' ')[0] ?? scenario;
