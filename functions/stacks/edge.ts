import type { FoundModule, FoundRoute } from '../model.ts';
import { listPaths } from '../model.ts';
import { type DeployTarget, referShared } from './stack.ts';

/** What stands before the HTTP APIs of a stage. */
export interface Edge {
  /** URL prefixes of the modules that have an HTTP API of their own. */
  prefixes: readonly string[];
  domain?: string | undefined;
  certificateArn?: string | undefined;
  webAclArn?: string | undefined;
  /** Stands in the comment of the distribution: another one lets CloudFormation read the secret again. */
  revision?: string | undefined;
}

const patterns = {
  EDGE_DOMAIN: /^(?=.{4,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,63}$/,
  // CloudFront takes certificates and firewalls of this region only.
  EDGE_CERTIFICATE_ARN: /^arn:aws[\w-]*:acm:us-east-1:\d{12}:certificate\/[\w-]{1,64}$/,
  EDGE_WEB_ACL_ARN: /^arn:aws[\w-]*:wafv2:us-east-1:\d{12}:global\/webacl\/[\w-]+\/[\w-]+$/,
  EDGE_REVISION: /^[\w-]{1,32}$/,
};

/**
 * The settings of `EDGE=1` (docs/decisions/0060-edge.md); undefined without it.
 *
 * @throws Error naming a variable that is invalid, or missing beside another one
 */
export function readEdge(environment: NodeJS.ProcessEnv): Omit<Edge, 'prefixes'> | undefined {
  const { EDGE, EDGE_DOMAIN: domain, EDGE_CERTIFICATE_ARN: certificateArn } = environment;
  if (EDGE && EDGE !== '1') throw new Error(`EDGE is "${EDGE}": it takes 1`);
  for (const [name, pattern] of Object.entries(patterns)) {
    const value = environment[name];
    if (value && !EDGE) throw new Error(`${name} is set without EDGE=1`);
    if (value && !pattern.test(value)) throw new Error(`${name} is "${value}": see docs/scale.md, Edge`);
  }
  if (!EDGE) return undefined;
  if (!domain !== !certificateArn)
    throw new Error(`${domain ? 'EDGE_CERTIFICATE_ARN' : 'EDGE_DOMAIN'} is not set: a domain takes both`);
  return {
    domain: domain || undefined,
    certificateArn: certificateArn || undefined,
    webAclArn: environment.EDGE_WEB_ACL_ARN || undefined,
    revision: environment.EDGE_REVISION || undefined,
  };
}

/** The paths of a module that CloudFront sends to its HTTP API. */
export const listPatterns = (prefix: string): string[] => [`/adminapi/${prefix}/*`, `/api/${prefix}/*`];

/** The module whose HTTP API answers a path; undefined for that of `core`. */
export const findApi = (path: string, prefixes: readonly string[]): string | undefined =>
  prefixes.find((prefix) => listPatterns(prefix).some((pattern) => path.startsWith(pattern.slice(0, -1))));

/** The modules that have routes behind their prefix, in the order of their names. */
export function listApis(found: {
  modules: readonly FoundModule[];
  routes: readonly FoundRoute[];
}): string[] {
  const prefixes = found.modules.map(({ prefix }) => prefix);
  const used = found.routes.flatMap((route) => listPaths(route).map((path) => findApi(path, prefixes)));
  return prefixes.filter((prefix) => used.includes(prefix)).sort();
}

/** The part of logical IDs that names a module: `UserCenter`. */
export const toId = (prefix: string): string =>
  prefix.replace(/(?:^|-)(.)/g, (_sign, letter: string) => letter.toUpperCase());

/** Logical IDs of all HTTP APIs of a stage, that of `core` first. */
export const listApiIds = (prefixes: readonly string[]): string[] => [
  'HttpApi',
  ...prefixes.map((prefix) => `HttpApi${toId(prefix)}`),
];

/** The URL of the stage: the domain, or that of CloudFront. */
export const describeEdgeUrl = (target: DeployTarget, { domain }: Pick<Edge, 'domain'>): string | object =>
  domain ? `https://${domain}` : referShared(target, 'EdgeUrl', edgeUrl);

const edgeUrl = { 'Fn::Sub': `https://\${Edge.DomainName}` };

const referApi = (target: DeployTarget, prefix: string): object =>
  referShared(target, `HttpApiId${toId(prefix)}`, { Ref: `HttpApi${toId(prefix)}` });

/** Values of `core` that the other stacks import. */
export const listEdgeValues = ({ prefixes, domain }: Edge): Record<string, object | string> => ({
  EdgeUrl: domain ? `https://${domain}` : edgeUrl,
  // Also before the domain points to it.
  EdgeHostUrl: edgeUrl,
  ...Object.fromEntries(
    prefixes.map((prefix) => [`HttpApiId${toId(prefix)}`, { Ref: `HttpApi${toId(prefix)}` }]),
  ),
});

type Resources = Record<string, { Type: string; Properties?: object }>;

/**
 * Moves the routes of a compiled template to the HTTP APIs of their modules, with their integrations and permissions.
 * The framework knows one HTTP API.
 *
 * @param base the HTTP API of `core`, as the template refers to it
 * @throws Error for a function whose routes belong to two HTTP APIs
 */
export function moveRoutes(
  resources: Resources,
  target: DeployTarget,
  { prefixes, base }: { prefixes: readonly string[]; base: object },
): void {
  const list = (type: string) => Object.entries(resources).filter(([, { Type }]) => Type === type);
  const move = (id: string, api: object): void => {
    const text = JSON.stringify(resources[id]).replaceAll(JSON.stringify(base), JSON.stringify(api));
    resources[id] = JSON.parse(text);
  };
  const routes = list('AWS::ApiGatewayV2::Route').map(([id, { Properties }]) => {
    const { RouteKey, Target } = Object(Properties);
    const path = String(RouteKey).split(' ')[1] ?? '';
    return {
      id,
      api: findApi(path, prefixes),
      integration: String(Object(Target)['Fn::Join']?.[1]?.[1]?.Ref),
    };
  });
  for (const [integration, own] of Map.groupBy(routes, (route) => route.integration)) {
    const [prefix, ...others] = new Set(own.map(({ api }) => api));
    if (others.length > 0)
      throw new Error(`${integration} has routes of two HTTP APIs: give them functions of their own`);
    if (prefix === undefined) continue;
    const uri = JSON.stringify(Object(resources[integration]?.Properties).IntegrationUri);
    const permissions = list('AWS::Lambda::Permission').filter(
      ([, { Properties }]) => JSON.stringify(Object(Properties).FunctionName) === uri,
    );
    const ids = [integration, ...own.map(({ id }) => id), ...permissions.map(([id]) => id)];
    for (const id of ids) move(id, referApi(target, prefix));
  }
}
