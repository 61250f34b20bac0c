import { beforeEach, describe, expect, it } from '@jest/globals';
import { compare } from '#cli/deploy/compare.ts';
import { hashTag } from '#cli/deploy/package.ts';
import { explainStack } from '#cli/deploy/stack-failures.ts';
import { listStages } from '#cli/stages/find-stages.ts';
import { removeStage } from '#cli/stages/remove-stage.ts';
import { createTempDir } from '../../../support/local-server.ts';
import { useCloud } from '../../../support/use-cloud.ts';
import { deployContents, type Resources, region, rollBack, stage, writePackage } from './stage-double.ts';

const cloud = useCloud();
let root: string;

beforeEach(() => {
  root = createTempDir();
  cloud.account.concurrency.quota = 1000;
});

const functionOf = (stack: string, content = '1', reserved?: number) => ({
  Type: 'AWS::Lambda::Function',
  Properties: {
    FunctionName: `backend-${stage}-${stack}-list`,
    Description: content,
    ...(reserved && { ReservedConcurrentExecutions: reserved }),
  },
});
const logGroup = { Type: 'AWS::Logs::LogGroup', Properties: { LogGroupName: `/backend/${stage}/article` } };
const repeat = (count: number, type: string, name: string): Resources =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `${name}${index}`,
      { Type: type, Properties: { ApiId: { 'Fn::ImportValue': 'api' } } },
    ]),
  );

const deploy = (content: string, article: Resources) =>
  deployContents(root, cloud, {
    contents: { core: content, article: content },
    resources: { core: { Default: functionOf('core') }, article },
  });
const back = () => rollBack(root, cloud);
const remove = async (chosen?: string) => {
  const stacks = ((await listStages(region)).get(stage) ?? []).filter(
    ({ stack }) => !chosen || stack === chosen,
  );
  await removeStage({ region, stage, stacks, withTable: false, print: () => {} });
};
const article = () => cloud.stacks.get('backend-article-prod');
const running = () => ({ status: article()?.status, resources: article()?.resources });

describe('a quota of AWS', () => {
  it('of 500 resources refuses the template, and changes nothing', async () => {
    await deploy('1', { List: functionOf('article') });
    const before = running();

    await expect(deploy('2', repeat(501, 'AWS::SNS::Topic', 'T'))).rejects.toThrow(
      'Number of resources, 501, is greater than maximum allowed, 500',
    );

    expect(running()).toEqual(before);
    await deploy('3', repeat(500, 'AWS::SNS::Topic', 'T'));
    expect(article()?.status).toBe('UPDATE_COMPLETE');
  });

  it.each([
    ['AWS::ApiGatewayV2::Integration', 'Maximum number of Integrations', "functions: 'folder'"],
    [
      'AWS::ApiGatewayV2::Route',
      'Maximum number of Routes',
      'aws service-quotas request-service-quota-increase',
    ],
  ])('of 300 %s rolls the stack back, and is explained', async (type, words, advice) => {
    await deploy('1', repeat(300, type, 'I'));

    const message = await deploy('2', repeat(301, type, 'I')).catch(String);

    expect(message).toContain('backend-article-prod is UPDATE_ROLLBACK_COMPLETE');
    expect(message).toContain(words);
    expect(message).toContain(advice);
    expect(Object.keys(article()?.resources ?? {})).toHaveLength(300);
    // What is smaller again is deployed by the next run.
    await deploy('3', repeat(299, type, 'I'));
    expect(Object.keys(article()?.resources ?? {})).toHaveLength(299);
  });

  it('counts the integrations of all stacks that share an API', async () => {
    const type = 'AWS::ApiGatewayV2::Integration';
    const own = { Type: type, Properties: { ApiId: { Ref: 'HttpApi' } } };
    const contents = { core: '1', article: '1' };
    const resources = { core: { Own: own }, article: repeat(300, type, 'I') };

    await expect(deployContents(root, cloud, { contents, resources })).rejects.toThrow('Maximum number of');
  });

  it('of concurrency rolls the stack back, with the command that reserves nothing', async () => {
    cloud.account.concurrency.quota = 120;
    await deploy('1', { List: functionOf('article') });

    await expect(deploy('2', { List: functionOf('article', '2', 21) })).rejects.toThrow(
      /below its minimum value of \[100\][\s\S]*CONCURRENCY_FACTOR=0 npm run deploy -- --stage prod/,
    );

    await deploy('2', { List: functionOf('article', '2', 20) });
    expect(article()?.resources).toHaveProperty('List.Properties.ReservedConcurrentExecutions', 20);
  });

  it('leaves a first deployment that the next run finishes', async () => {
    cloud.account.concurrency.quota = 10;

    await expect(deploy('1', { List: functionOf('article', '1', 5) })).rejects.toThrow(
      'CONCURRENCY_FACTOR=0',
    );
    expect(article()?.status).toBe('UPDATE_ROLLBACK_COMPLETE');

    await deploy('1', { List: functionOf('article') });
    expect(article()).toMatchObject({ status: 'UPDATE_COMPLETE' });
    expect(article()?.tags[hashTag]).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('a function that was removed by hand', () => {
  const existing = `AWS::Lambda::Function backend-${stage}-article-list`;

  const removeByHand = async () => {
    await deploy('1', { List: functionOf('article', '1') });
    cloud.existing.delete(existing);
  };

  it('does not stop a deployment that leaves it as it is', async () => {
    await removeByHand();

    await deploy('2', { List: functionOf('article', '1'), Topic: { Type: 'AWS::SNS::Topic' } });

    expect(article()?.status).toBe('UPDATE_COMPLETE');
  });

  it('stops a change of it, is explained, and is there again after the commands that the message names', async () => {
    await removeByHand();

    const message = await deploy('2', { List: functionOf('article', '2') }).catch(String);

    expect(article()?.status).toBe('UPDATE_ROLLBACK_FAILED');
    expect(message).toContain('backend-article-prod is UPDATE_ROLLBACK_FAILED');
    expect(message).toContain('List (AWS::Lambda::Function) was removed outside of CloudFormation');
    expect(message).toContain('npm run service -- stage:remove prod --stack article --production');
    const packaged = writePackage(root, 'article', '2');
    const verdict = await compare(packaged, stage, 0);
    expect(verdict).toMatchObject({ kind: 'blocked' });
    expect(verdict.reason).toContain('stage:remove prod --stack article');

    await remove('article');
    await deploy('2', { List: functionOf('article', '2') });

    expect(article()?.status).toBe('UPDATE_COMPLETE');
    expect(cloud.existing).toContain(existing);
  });

  it('stops a rollback with the same message', async () => {
    await deploy('1', { List: functionOf('article', '1') });
    await deploy('2', { List: functionOf('article', '2') });
    cloud.existing.delete(existing);

    await expect(back()).rejects.toThrow('stage:remove prod --stack article');
    await expect(back()).rejects.toThrow('stage:remove prod --stack article');
  });

  it('in core is made again by hand, after which the rollback continues', async () => {
    await deploy('1', {});
    cloud.existing.delete(`AWS::Lambda::Function backend-${stage}-core-list`);
    const core = { Default: functionOf('core', '2') };
    const options = { contents: { core: '2' }, resources: { core } };

    await expect(deployContents(root, cloud, options)).rejects.toThrow('docs/deploy-trouble.md');

    cloud.existing.add(`AWS::Lambda::Function backend-${stage}-core-list`);
    const body = new URLSearchParams({ Action: 'ContinueUpdateRollback', StackName: 'backend-core-prod' });
    await fetch(cloud.url, { method: 'POST', body });
    await deployContents(root, cloud, options);
    expect(cloud.stacks.get('backend-core-prod')?.resources).toEqual(core);
  });

  it('that the commands ask is named', async () => {
    await deploy('1', {});
    await deploy('2', {});
    cloud.functions.clear();

    await expect(back()).rejects.toThrow('The function backend-prod-default does not exist');
  });

  it('does not stop the removal of its stage', async () => {
    await removeByHand();

    await remove();

    expect(cloud.stacks.size).toBe(0);
  });
});

describe('an export that another stack imports', () => {
  it('is named, with the order that removes it', async () => {
    const reason =
      'Export backend-prod-HttpApiIdShop cannot be deleted as it is in use by backend-aggregate-prod';
    const failure = { id: 'backend-core-prod', type: 'AWS::CloudFormation::Stack', reason, isStuck: false };
    cloud.stacks.set('backend-core-prod', {
      status: 'UPDATE_ROLLBACK_COMPLETE',
      tags: { STAGE: stage },
      failures: [failure],
    });

    const lines = await explainStack({ region, stage, stack: 'core' });

    expect(lines.join('\n')).toContain(reason);
    expect(lines.join('\n')).toContain('npm run deploy -- --stage prod --module aggregate');
  });
});

describe('other drift', () => {
  it('a log group that exists already stops the deployment until it is removed', async () => {
    cloud.existing.add(`AWS::Logs::LogGroup /backend/${stage}/article`);

    const message = await deploy('1', { LogGroup: logGroup }).catch(String);

    expect(message).toContain('already exists');
    expect(message).toContain(
      `aws logs delete-log-group --log-group-name /backend/${stage}/article --region ${region}`,
    );
    cloud.existing.delete(`AWS::Logs::LogGroup /backend/${stage}/article`);
    await deploy('1', { LogGroup: logGroup });
    expect(article()?.status).toBe('UPDATE_COMPLETE');
  });

  it('a resource that its stack retains is in the way of the next deployment', async () => {
    const retained = { ...logGroup, DeletionPolicy: 'Retain' };
    await deploy('1', { LogGroup: retained });
    await remove();

    await expect(deploy('1', { LogGroup: retained })).rejects.toThrow('aws logs delete-log-group');
  });

  it('a table that was removed by hand stops a rollback, which says so', async () => {
    await deploy('1', {});
    await deploy('2', {});
    cloud.tables.clear();

    await expect(back()).rejects.toThrow('The table backend-core-prod-Table-1 does not exist');
  });

  it('a bucket that was removed by hand is named with the command that makes it again', async () => {
    await deploy('1', {});
    cloud.missingBuckets.add('backend-article-prod-bucket');

    await expect(deploy('2', {})).rejects.toThrow('aws s3 mb s3://backend-article-prod-bucket');

    cloud.missingBuckets.clear();
    await deploy('2', {});
    expect(article()?.status).toBe('UPDATE_COMPLETE');
  });

  it('a bucket that was removed by hand does not stop the removal of its stage', async () => {
    await deploy('1', {});
    cloud.missingBuckets.add('backend-article-prod-bucket');
    for (const key of cloud.objects.keys()) if (key.startsWith('backend-article')) cloud.objects.delete(key);

    await remove();

    expect(cloud.stacks.size).toBe(0);
  });

  it('a deletion that fails names the resources, and how to leave them', async () => {
    await deploy('1', {});
    cloud.undeletable.add('backend-article-prod');

    await expect(remove()).rejects.toThrow(
      'aws cloudformation delete-stack --stack-name backend-article-prod --retain-resources Held',
    );

    cloud.undeletable.clear();
    await remove();
    expect(cloud.stacks.size).toBe(0);
  });
});
