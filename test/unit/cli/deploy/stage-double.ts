import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { goBack } from '#cli/deploy/back.ts';
import { compare } from '#cli/deploy/compare.ts';
import { type Compared, type DeployStack, deployStacks } from '#cli/deploy/deploy-stacks.ts';
import { hashPackage, hashTag, type StackPackage, templateFile } from '#cli/deploy/package.ts';
import type { CloudFormationDouble } from '../../../doubles/cloudformation.ts';
import { createTempDir } from '../../../support/local-server.ts';

export const region = 'eu-central-1';
export const stage = 'prod';
export const stacks = ['core', 'article', 'aggregate'] as const;

/** Content by stack. */
export type Contents = Partial<Record<(typeof stacks)[number], string>>;

/** The resources of a template. */
export type Resources = Record<string, { Type: string; Properties?: object; DeletionPolicy?: string }>;

/** Writes the package of a stack with some content, as the framework would. */
export function writePackage(
  root: string,
  stack: string,
  content: string,
  schema = 2,
  resources: Resources = {},
): StackPackage {
  const folder = join('.build', 'deploy', stack);
  const place = join(root, folder);
  const artifactDirectoryName = `serverless/backend-${stack}/${stage}/1`;
  mkdirSync(place, { recursive: true });
  const write = (name: string, value: unknown) => writeFileSync(join(place, name), JSON.stringify(value));
  writeFileSync(join(place, 'all.zip'), zipSync({ 'index.mjs': Buffer.from(`${stack} ${content}`) }));
  write(templateFile, { Resources: resources });
  const service = `backend-${stack}`;
  const state = { service: { service, provider: { region } }, package: { artifactDirectoryName } };
  write('serverless-state.json', state);
  return { stack, service, region, folder, hash: hashPackage(place), schema };
}

/** Deploys as the framework does, by the requests that change a stack. @throws Error if the stack is rolled back */
export function createDeploy(root: string, cloud: CloudFormationDouble): DeployStack {
  return async ({ stack, folder }, target) => {
    const name = `backend-${stack}-${target}`;
    const tags = { STAGE: target, [hashTag]: hashPackage(join(root, folder)) };
    const pairs = Object.entries(tags).flatMap<[string, string]>(([key, value], index) => [
      [`Tags.member.${index + 1}.Key`, key],
      [`Tags.member.${index + 1}.Value`, value],
    ]);
    const send = async (Action: string, template = '{"Resources":{}}'): Promise<string> => {
      const body = new URLSearchParams([['Action', Action], ['StackName', name], ...pairs]);
      body.set('TemplateBody', template);
      const answer = await (await fetch(cloud.url, { method: 'POST', body })).text();
      return answer.includes('<Code>Throttling<') ? send(Action, template) : answer;
    };
    if ((await send('DescribeStacks')).includes('does not exist')) await send('CreateStack');
    const template = readFileSync(join(root, folder, templateFile), 'utf8');
    const [, refusal] = /<Message>([^<]*)/.exec(await send('UpdateStack', template)) ?? [];
    if (refusal) throw new Error(refusal);
    if (!(await send('DescribeStacks')).includes('>UPDATE_COMPLETE<')) throw new Error(`${stack} failed`);
  };
}

/** A run of `deploy:back`. */
export const rollBack = (root: string, cloud: CloudFormationDouble, chosen: readonly string[] = []) =>
  goBack({
    ...{ region, stage, projectRoot: root, deploy: createDeploy(root, cloud) },
    chosen: chosen.length > 0 ? chosen : undefined,
  });

/** Content by stack, by the hash that each one runs: those of `writePackage` with 1, 2 and 3. */
export function readRunning(cloud: CloudFormationDouble): Record<string, string> {
  const scratch = createTempDir();
  return Object.fromEntries(
    stacks.map((stack) => {
      const tag = cloud.stacks.get(`backend-${stack}-${stage}`)?.tags[hashTag];
      const found = ['1', '2', '3'].find((content) => writePackage(scratch, stack, content).hash === tag);
      return [stack, found ?? ''];
    }),
  );
}

interface DeployedContent {
  /** By stack; others are unchanged. */
  contents: Partial<Record<string, string>>;
  schema?: number;
  /** Resources of the templates, by stack. @default none */
  resources?: Partial<Record<string, Resources>>;
  isForced?: boolean;
}

/** A run of `npm run deploy` with packages of some content. */
export async function deployContents(
  root: string,
  cloud: CloudFormationDouble,
  { contents, schema, resources = {}, isForced = false }: DeployedContent,
): Promise<void> {
  const compared: Compared[] = [];
  for (const [stack, content = ''] of Object.entries(contents)) {
    const packaged = writePackage(root, stack, content, schema, resources[stack]);
    compared.push({ ...packaged, ...(await compare(packaged, stage, 0)) });
  }
  const due = compared.filter(({ kind }) => isForced || kind !== 'same');
  await deployStacks(compared, due, { root, region, stage, deploy: createDeploy(root, cloud) });
}
