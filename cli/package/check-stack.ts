import { globSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { unzipSync } from 'fflate';
import { type BundleOutputs, listReached, toPackagePath } from '#functions/bundle/keep-chunks-apart.ts';
import { listMethods, listPaths, type Manifest } from '#functions/model.ts';
import { aggregateResources, awsLimits, moduleResources } from '#functions/stacks/limits.ts';
import { aggregateStack, hasCore, selectStack, wholeStack } from '#functions/stacks/stack.ts';
import { root } from '../project.ts';

/** The used parts of a CloudFormation template. */
export interface Template {
  Resources: Record<string, { Type: string; Properties?: Record<string, unknown> }>;
  Outputs?: Record<string, { Export?: { Name: unknown } }>;
}

/** What to do about too many resources. */
const advice = {
  module: 'split the stack',
  aggregate: 'leave out modules, or `revisions` of records',
  whole: 'deploy one stack a module instead',
};
const resourceLimits = { module: moduleResources, aggregate: aggregateResources, whole: awsLimits.resources };

/** Whose limit a stack has. */
export function kindOfStack(stack: string): keyof typeof resourceLimits {
  if (stack === wholeStack) return 'whole';
  return stack === aggregateStack ? 'aggregate' : 'module';
}

/**
 * Too many resources, and references to missing ones.
 *
 * @param exported names that other stacks export
 */
export function checkTemplate(
  template: Template,
  exported: ReadonlySet<string>,
  kind: keyof typeof resourceLimits = 'module',
): string[] {
  const names = new Set(Object.keys(template.Resources));
  const faults = [...listReferences(template)].flatMap(({ imported, resource }) => {
    if (imported !== undefined) return exported.has(imported) ? [] : [`no stack exports ${imported}`];
    const name = resource.split('.')[0] ?? '';
    return names.has(name) || name.startsWith('AWS::') ? [] : [`there is no resource ${name}`];
  });
  if (names.size > resourceLimits[kind]) {
    faults.push(`${names.size} resources: ${advice[kind]}`);
  }
  return [...new Set(faults)];
}

export function listExports({ Outputs = {} }: Template): string[] {
  return Object.values(Outputs).flatMap(({ Export }) => (Export ? [String(Export.Name)] : []));
}

/** An imported name, or a resource with an optional attribute: `Table.Arn`. */
type Reference = { imported: string; resource?: undefined } | { imported?: undefined; resource: string };

function* listReferences(value: unknown): Generator<Reference> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'Ref') yield { resource: String(inner) };
    else if (key === 'Fn::GetAtt') yield { resource: String([inner].flat()[0]) };
    else if (key === 'Fn::ImportValue' && typeof inner === 'string') yield { imported: inner };
    else if (key === 'Fn::Sub' && typeof inner === 'string') {
      for (const [, resource = ''] of inner.matchAll(/\$\{([^!}][^}]*)\}/g)) yield { resource };
    } else yield* listReferences(inner);
  }
}

export function checkRoutes(manifest: Manifest, stack: string, { Resources }: Template): string[] {
  const found = Object.values(Resources).flatMap(({ Type, Properties }) =>
    Type === 'AWS::ApiGatewayV2::Route' ? [String(Properties?.RouteKey)] : [],
  );
  const keys = selectStack(manifest, stack).routes.flatMap((route) =>
    listPaths(route).flatMap((path) => listMethods(route).map((method) => `${method} ${path}`)),
  );
  return compareLists('the stack', hasCore(stack) ? ['$default', ...keys] : keys, found);
}

/** Checks that a function's zip holds its own bundle and nothing else. @param others other expected files */
export function checkArchive(
  archive: string,
  stack: string,
  report: BundleOutputs,
  others: readonly string[] = [],
): string[] {
  const found: string[] = [];
  unzipSync(readFileSync(archive), {
    filter: ({ name }) => {
      found.push(name);
      return false;
    },
  });
  const expected = [
    ...listReached(report).map((file) => toPackagePath(file, stack)),
    ...others.flatMap((each) => (each.includes('*') ? listFiles(each) : [each])),
  ];
  return compareLists(basename(archive), expected, found);
}

/** Paths of the files that a pattern names. */
const listFiles = (pattern: string): string[] =>
  globSync(pattern, { cwd: root, withFileTypes: true }).flatMap((each) =>
    each.isFile() ? relative(root, join(each.parentPath, each.name)) : [],
  );

const compareLists = (title: string, expected: readonly string[], found: readonly string[]): string[] => [
  ...expected.filter((each) => !found.includes(each)).map((each) => `${title} lacks ${each}`),
  ...found.filter((each) => !expected.includes(each)).map((each) => `${title} holds ${each}`),
];
