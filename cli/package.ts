import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from '#functions/generate.ts';
import { printWarnings } from './print-warnings.ts';
import { root } from './project.ts';

// `npm run package`: packages the service as a deployment would, and checks what came out.

/** Most resources of a stack; CloudFormation takes 500. */
const resourceLimit = 400;

interface Template {
  Resources: Record<string, { Type: string; Properties?: { Handler?: string; RouteKey?: string } }>;
}

function runServerless(stage: string): void {
  const { status } = spawnSync('serverless', ['package', '--stage', stage], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error('serverless package failed');
}

async function check(): Promise<string> {
  const file = join(root, '.serverless', 'cloudformation-template-update-stack.json');
  const { Resources }: Template = JSON.parse(readFileSync(file, 'utf8'));
  const resources = Object.values(Resources);
  const routeKeys = resources.flatMap(({ Type, Properties }) =>
    Type === 'AWS::ApiGatewayV2::Route' ? [Properties?.RouteKey] : [],
  );
  const manifest = await generate(root);
  printWarnings(manifest);
  const { routes } = manifest;
  const expected = ['$default', ...routes.map(({ route, path }) => `${route.method} ${path}`)];
  const missing = expected.filter((key) => !routeKeys.includes(key));
  if (missing.length > 0) throw new Error(`the template lacks ${missing.join(', ')}`);
  const functions = resources.filter(({ Type }) => Type === 'AWS::Lambda::Function');
  if (functions.length !== expected.length) {
    throw new Error(`${functions.length} functions for ${expected.length} routes`);
  }
  if (resources.length >= resourceLimit) throw new Error(`${resources.length} resources: split the stack`);
  return `${functions.length} functions, ${resources.length} resources`;
}

runServerless('dev');
console.log(`Packaged: ${await check()}`);
