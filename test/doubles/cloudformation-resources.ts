import * as z from 'zod/mini';
import type { CloudFormationDouble, DoubleStack, StackFailure } from './cloudformation.ts';

const templateSchema = z.object({
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      DeletionPolicy: z.optional(z.string()),
      Properties: z.optional(z.record(z.string(), z.unknown())),
    }),
  ),
});

/** The resources of a stack by their logical IDs. */
export type StackResources = z.infer<typeof templateSchema>['Resources'];
type Resource = StackResources[string];
type State = Pick<CloudFormationDouble, 'stacks' | 'existing' | 'account' | 'objects'>;

/** What AWS grants a stack, an HTTP API and an account. */
const quotas = { resources: 500, integrations: 300, routes: 300, unreserved: 100 };

/** The template of a request, in its body or as an object of the double; undefined without one. */
export function readTemplate(form: URLSearchParams, { objects }: State): StackResources | undefined {
  const { pathname } = new URL(form.get('TemplateURL') ?? '/', 'http://s3.test');
  const text =
    form.get('TemplateBody') ?? objects.get(decodeURIComponent(pathname.slice(1)))?.body.toString();
  return text === undefined ? undefined : z.parse(templateSchema, JSON.parse(text)).Resources;
}

/** Why CloudFormation refuses a template at once; undefined if it does not. */
export function findRefusal(resources: StackResources): string | undefined {
  const count = Object.keys(resources).length;
  return count > quotas.resources
    ? `Template format error: Number of resources, ${count}, is greater than maximum allowed, ${quotas.resources}`
    : undefined;
}

/** Properties that hold the name of a resource, by its type. */
const names: Record<string, string> = {
  'AWS::Lambda::Function': 'FunctionName',
  'AWS::Logs::LogGroup': 'LogGroupName',
  'AWS::DynamoDB::Table': 'TableName',
};

/** How the double knows a resource with a fixed name: `AWS::Lambda::Function backend-prod-a`. */
export function toExisting({ Type, Properties = {} }: Resource): string | undefined {
  const name = Properties[names[Type] ?? ''];
  return typeof name === 'string' ? `${Type} ${name}` : undefined;
}

/** The HTTP API that a route or an integration belongs to, by the stack that holds it. */
const apiOf = (stackName: string, { Properties = {} }: Resource): string =>
  Object.hasOwn(Object(Properties.ApiId), 'Ref')
    ? stackName
    : `backend-core${/-[a-z\d]+(?:-\d+)?$/.exec(stackName)?.[0]}`;

const limitedTypes = {
  'AWS::ApiGatewayV2::Integration': ['Integrations', quotas.integrations],
  'AWS::ApiGatewayV2::Route': ['Routes', quotas.routes],
} as const;

const isLimited = (type: string): type is keyof typeof limitedTypes => Object.hasOwn(limitedTypes, type);

/** What the stacks hold after a change that succeeds, with the name of the stack of each. */
const listAfter = ({ stacks }: State, name: string, resources: StackResources): [string, Resource][] =>
  [...stacks].flatMap(([other, stack]): [string, Resource][] =>
    Object.values(other === name ? resources : (stack.resources ?? {})).map((each) => [other, each]),
  );

function findFault(
  [id, resource]: [string, Resource],
  old: Resource | undefined,
  context: { name: string; state: State; after: readonly [string, Resource][] },
): string | undefined {
  const { name, state, after } = context;
  const existing = toExisting(resource);
  const exists = existing !== undefined && state.existing.has(existing);
  const [type, physical] = existing?.split(' ') ?? [];
  if (existing && !old && exists)
    return `Resource of type '${type}' with identifier '{"/properties/${names[resource.Type]}":"${physical}"}' already exists.`;
  if (existing && old && !exists && JSON.stringify(old) !== JSON.stringify(resource))
    return `Resource handler returned message: "${physical} not found (Status Code: 404)" (HandlerErrorCode: NotFound)`;
  if (isLimited(resource.Type) && !old) {
    const [title, most] = limitedTypes[resource.Type];
    const api = apiOf(name, resource);
    const count = after.filter(([of, each]) => each.Type === resource.Type && apiOf(of, each) === api).length;
    if (count > most)
      return `Maximum number of ${title} for this API has been reached. Please contact AWS if you need additional ${title}. (Service: ApiGatewayV2, Status Code: 429)`;
  }
  const reserve = (each: Resource): number => Number(each.Properties?.ReservedConcurrentExecutions ?? 0);
  const reserved = after.reduce((sum, [, each]) => sum + reserve(each), 0);
  if (
    reserve(resource) > (old ? reserve(old) : 0) &&
    state.account.concurrency.quota - reserved < quotas.unreserved
  )
    return `Resource handler returned message: "Specified ReservedConcurrentExecutions for function decreases account's UnreservedConcurrentExecution below its minimum value of [${quotas.unreserved}]. (Service: Lambda, Status Code: 400)" (${id})`;
  return undefined;
}

/**
 * Gives a stack its resources, or rolls it back.
 *
 * @returns the failures; empty after a success. A change of a resource that does not exist cannot be rolled back
 */
export function applyTemplate(name: string, resources: StackResources, state: State): StackFailure[] {
  const { resources: old = {} } = state.stacks.get(name) ?? {};
  const after = listAfter(state, name, resources);
  const failures = Object.entries(resources).flatMap((entry) => {
    const [id, { Type: type }] = entry;
    const reason = findFault(entry, old[id], { name, state, after });
    return reason ? [{ id, type, reason, isStuck: reason.includes('NotFound') }] : [];
  });
  if (failures.length > 0) return failures;
  for (const [id, resource] of Object.entries(old)) {
    if (!resources[id]) state.existing.delete(toExisting(resource) ?? '');
  }
  for (const resource of Object.values(resources)) {
    const existing = toExisting(resource);
    if (existing) state.existing.add(existing);
  }
  return [];
}

/** Removes the resources of a deleted stack, except for those that its template retains. */
export function forgetResources({ resources = {} }: DoubleStack, { existing }: State): void {
  for (const resource of Object.values(resources)) {
    if (resource.DeletionPolicy !== 'Retain') existing.delete(toExisting(resource) ?? '');
  }
}
