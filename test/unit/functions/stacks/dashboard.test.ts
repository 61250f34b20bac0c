import '../../../support/environment.ts';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { checkDashboards } from '#cli/package/check-dashboard.ts';
import { checkResources } from '#cli/package/check-resources.ts';
import type { Template } from '#cli/package/check-stack.ts';
import { generate } from '#functions/generate.ts';
import { listStackFunctions, type StackFunctions } from '#functions/stacks/dashboard.ts';
import type { FunctionDefinition } from '#functions/stacks/function-map.ts';
import { createResources } from '#functions/stacks/resources.ts';
import { wholeStack } from '#functions/stacks/stack.ts';
import { embedMetrics } from '#shared/log/metrics.ts';

const stage = 'prod';
let watched: StackFunctions;

beforeAll(async () => {
  watched = listStackFunctions(await generate(resolve('.')), stage);
});

/** The template of a stack, with its functions as the framework writes them. */
function createTemplate(stack: string, functions: Readonly<Record<string, FunctionDefinition>>): Template {
  const { Resources } = createResources({ stage, stack }, functions, { watched });
  const named = Object.entries(functions).map(([key, { name }]) => [
    key,
    { Type: 'AWS::Lambda::Function', Properties: { FunctionName: name } },
  ]);
  return { Resources: { ...Object(Resources), ...Object.fromEntries(named) } };
}

const createTemplates = () =>
  Object.entries(watched).map(([stack, functions]) => createTemplate(stack, functions));

interface Graph {
  title: string;
  metrics: [string, string, ...unknown[]][];
}

function readGraphs(templates: readonly Template[]): Graph[] {
  const { DashboardBody } = Object(templates[0]?.Resources.Dashboard?.Properties);
  const { widgets }: { widgets: { properties: Graph }[] } = JSON.parse(DashboardBody['Fn::Sub'][0]);
  return widgets.map(({ properties }) => properties);
}

/** Metrics that AWS documents, by namespace. */
const known: Record<string, readonly string[]> = {
  'AWS/Lambda': ['Invocations', 'Errors', 'Throttles', 'Duration', 'IteratorAge'],
  'AWS/ApiGateway': ['Count', '4xx', '5xx', 'Latency'],
  'AWS/DynamoDB': [
    'ConsumedReadCapacityUnits',
    'ConsumedWriteCapacityUnits',
    'ReadThrottleEvents',
    'WriteThrottleEvents',
  ],
};

describe('the dashboard', () => {
  it('names only functions and counts that the templates of the stage have', () => {
    const templates = createTemplates();

    expect(checkDashboards(templates)).toEqual([]);
    expect(checkResources({ Resources: { Dashboard: Object(templates[0]?.Resources.Dashboard) } })).toEqual(
      [],
    );
  });

  it('shows metrics that AWS documents, or that the log embeds', () => {
    const units = ['Requests', 'ClientErrors', 'ServerErrors', 'Duration', 'ColdStarts', 'CacheUnavailable'];
    const metrics = Object.fromEntries(units.map((name) => [name, 1]));
    const { _aws } = embedMetrics(metrics, { namespace: 'backend', stage }, {}, 0);
    const embedded = _aws.CloudWatchMetrics.flatMap(({ Metrics }) => Metrics.map(({ Name }) => Name));
    const lines = readGraphs(createTemplates()).flatMap((graph) => graph.metrics);
    const named = lines.filter(([namespace]) => typeof namespace === 'string');

    for (const [namespace, metric] of named) {
      if (namespace !== `backend/${stage}`) expect(known[namespace] ?? embedded).toContain(metric);
    }
    expect(embedded).toEqual(units);
  });

  it('shows every stack, listener and job', () => {
    const graphs = readGraphs(createTemplates());
    const functions = Object.values(watched).flatMap((each) => Object.values(each));
    const listed = (title: string) =>
      graphs.find((graph) => graph.title === title)?.metrics.map((line) => line[3]);
    const having = (kind: string) =>
      functions.filter(({ events }) => events.some((event) => kind in event)).map(({ name }) => name);

    expect(listed('Jobs: runs')).toEqual(having('schedule'));
    expect(listed('Oldest change of the table that waits, in ms')).toEqual(having('stream'));
    for (const stack of Object.keys(watched))
      expect(graphs.map(({ title }) => title)).toContain(`Functions of ${stack}`);
  });

  it('of a stage in one stack names the counts of that stack', () => {
    const functions = Object.assign({}, ...Object.values(watched));

    expect(checkDashboards([createTemplate(wholeStack, functions)])).toEqual([]);
  });

  it('leaves the graphs by stack out if they need more metrics than CloudWatch draws', () => {
    const { core = {} } = watched;
    const [definition] = Object.values(core);
    const many = Array.from({ length: 126 }, (_, index) => [`many-${index}`, definition]);
    watched = { ...watched, many: Object.fromEntries(many) };

    const titles = readGraphs(createTemplates()).map(({ title }) => title);

    expect(titles).toContain('HTTP API');
    expect(titles.filter((title) => title.startsWith('Functions of'))).toEqual([]);
  });

  it('does not exist in a preview, and in the stacks of modules', () => {
    const preview = createResources({ stage: 'pr-1', stack: 'core' }, {}, { watched, isPreview: true });

    expect(preview.Resources).not.toHaveProperty('Dashboard');
    expect(createTemplate('article', {}).Resources).not.toHaveProperty('Dashboard');
  });
});

describe('checkDashboards', () => {
  const check = (DashboardBody: unknown) =>
    checkDashboards([
      { Resources: { Dashboard: { Type: 'AWS::CloudWatch::Dashboard', Properties: { DashboardBody } } } },
    ]);
  const show = (...line: string[]) => JSON.stringify({ widgets: [{ properties: { metrics: [line] } }] });

  it('finds functions and counts that no template has', () => {
    expect(check(show('AWS/Lambda', 'Errors', 'FunctionName', 'gone'))).toEqual(['the dashboard shows gone']);
    expect(check(show('backend/prod', 'gone-errors'))).toEqual(['the dashboard shows gone-errors']);
    expect(check(show('AWS/ApiGateway', 'Count', 'ApiId', 'a'))).toEqual([]);
  });

  it.each(['', '{', '{"widgets":{}}'])('refuses the body %j', (body) => {
    expect(check(body)).toEqual(['the body of the dashboard is not the JSON that CloudWatch takes']);
  });
});
