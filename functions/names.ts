import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Name of the service in stack and function names. */
export const serviceName = 'backend';
/** Name of the function of the gateway's `$default` route. */
export const fallbackName = 'default';
/** Longest name of a stage. */
export const stageLimit = 10;
/** The region of a deployment without `AWS_REGION`, as in `serverless.yml`. */
export const defaultRegion = 'ap-southeast-1';
/** Longest name of a route's function, without service and stage. AWS Lambda allows 64 characters in all. */
export const functionNameLimit = 64 - `${serviceName}--`.length - stageLimit;

/** @throws Error if this is not the name of a stage */
export function assertStage(stage: string): void {
  if (/^[a-z][a-z0-9]*$/.test(stage) && stage.length <= stageLimit) return;
  throw new Error(`the stage "${stage}" takes 1 to ${stageLimit} lowercase letters and digits`);
}

/** The version in `package.json`. */
export function readVersion(root: string): string {
  const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return version;
}
