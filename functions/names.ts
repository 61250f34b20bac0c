import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Name of the service in stack and function names. */
export const serviceName = 'backend';
/** Name of the function of the gateway's `$default` route. */
export const fallbackName = 'default';
/** Longest name of a stage. */
export const stageLimit = 10;
const stagePattern = /^[a-z][a-z0-9]*(-\d+)?$/;

/** Whether a name can be that of a stage: `prod`, or `pr-12` for a preview. A name is never the end of another one. */
export const isStageName = (name: string): boolean => stagePattern.test(name) && name.length <= stageLimit;

/** The region of a deployment without `AWS_REGION`, as in `serverless.yml`. */
export const defaultRegion = 'ap-southeast-1';
/** Longest name of a route's function, without service and stage. AWS Lambda allows 64 characters in all. */
export const functionNameLimit = 64 - `${serviceName}--`.length - stageLimit;

/** @throws Error if this is not the name of a stage */
export function assertStage(stage: string): void {
  if (isStageName(stage)) return;
  const rule = `takes 1 to ${stageLimit} lowercase letters and digits, and a number after a dash: pr-12`;
  throw new Error(`the stage "${stage}" ${rule}`);
}

/** The version in `package.json`. */
export function readVersion(root: string): string {
  const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return version;
}

/** The stage that is not removed by mistake: commands that remove something of it need `--production`. */
export const productionStage = 'prod';
