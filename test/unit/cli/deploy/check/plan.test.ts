import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readSources } from '#cli/deploy/check/parameters.ts';
import { planPackages, planSources } from '#cli/deploy/check/plan.ts';
import { root } from '#cli/project.ts';
import { defaultRegion } from '#functions/names.ts';
import { createTempDir } from '../../../../support/local-server.ts';

describe('the plan of the sources', () => {
  it('takes the region that the framework would take', () => {
    expect(readFileSync(join(root, 'serverless.yml'), 'utf8')).toContain(
      `region: \${env:AWS_REGION, '${defaultRegion}'}`,
    );
  });

  it('reads the environment of the functions, and finds those that reserve concurrency', async () => {
    const plan = planSources(root, 'prod');

    const { parameters } = readSources(plan.environment);
    expect(parameters.get('APP_KEY')).toBe('/backend/prod/APP_KEY');
    const reserved = await plan.findReserved();
    expect(reserved).toContainEqual({ name: 'backend-prod-system-api-login-account', concurrency: 50 });
  });
});

describe('the plan of packages', () => {
  it('reads templates', async () => {
    const folder = createTempDir();
    mkdirSync(join(folder, 'core'));
    const Properties = {
      FunctionName: 'backend-prod-a',
      ReservedConcurrentExecutions: 7,
      Environment: { Variables: { APP_KEY: '{{resolve:secretsmanager:a/b:SecretString:APP_KEY}}' } },
    };
    const template = { Resources: { A: { Type: 'AWS::Lambda::Function', Properties }, B: { Type: 'T' } } };
    writeFileSync(
      join(folder, 'core', 'cloudformation-template-update-stack.json'),
      JSON.stringify(template),
    );
    const packaged = {
      stack: 'core',
      service: 'backend-core',
      region: 'eu-west-1',
      folder: 'core',
      hash: '',
      schema: 1,
    };

    const plan = planPackages(folder, 'prod', [packaged]);

    expect(plan).toMatchObject({ region: 'eu-west-1', isBuilt: true });
    expect(await plan.findReserved()).toEqual([{ name: 'backend-prod-a', concurrency: 7 }]);
    expect(readSources(plan.environment).secret).toEqual({ id: 'a/b', variables: ['APP_KEY'] });
  });
});
