import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { zipSync } from 'fflate';

// A quick double of the commands `serverless package` and `serverless deploy --package`. A package holds the
// sources of the stack named by MODULE as they are; a deployment is two requests to CloudFormation's double.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    stage: { type: 'string', default: '' },
    package: { type: 'string', default: '' },
    force: { type: 'boolean' },
  },
});
const { MODULE: stack = '', AWS_ENDPOINT_URL: endpoint = '' } = process.env;
const { stage, package: folder } = values;

const folders: Record<string, string> = {
  core: 'shared/db',
  article: 'modules/Article',
  system: 'modules/System/Stream',
  'user-center': 'modules/UserCenter',
  aggregate: 'modules',
};

function packageStack(): void {
  const sources = folders[stack] ?? '';
  const content = readdirSync(sources, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
  // The real one names its folder after the time.
  const artifactDirectoryName = `serverless/backend-${stack}/${stage}/${process.hrtime.bigint()}`;
  const code = { S3Key: `${artifactDirectoryName}/all.zip` };
  mkdirSync(folder, { recursive: true });
  write('cloudformation-template-update-stack.json', {
    Resources: { All: { Type: 'AWS::Lambda::Function', Properties: { Code: code } } },
  });
  write('serverless-state.json', {
    service: { service: `backend-${stack}`, provider: { region: 'us-east-1' } },
    package: { artifactDirectoryName },
  });
  writeFileSync(join(folder, 'all.zip'), zipSync({ 'index.mjs': Buffer.from(content) }));
}

const write = (file: string, value: unknown) => writeFileSync(join(folder, file), JSON.stringify(value));

async function deploy(): Promise<void> {
  const { service } = JSON.parse(readFileSync(join(folder, 'serverless-state.json'), 'utf8'));
  const name = `${service.service}-${stage}`;
  const tags: [string, string][] = Object.entries(service.provider.stackTags ?? {});
  const parameters = tags.flatMap<[string, string]>(([key, value], index) => [
    [`Tags.member.${index + 1}.Key`, key],
    [`Tags.member.${index + 1}.Value`, value],
  ]);
  const send = async (Action: string) => {
    const body = new URLSearchParams([['Action', Action], ['StackName', name], ...parameters]);
    const answer = await fetch(endpoint, { method: 'POST', body });
    return answer.ok ? answer.text() : undefined;
  };
  if (!(await send('DescribeStacks'))) await send('CreateStack');
  await send('UpdateStack');
  const described = await send('DescribeStacks');
  if (!described?.includes('UPDATE_COMPLETE')) process.exitCode = 1;
}

if (positionals[0] === 'package') packageStack();
else await deploy();
