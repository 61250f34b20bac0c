/**
 * What AWS allows: resources of a CloudFormation stack, integrations and routes of an HTTP API. AWS raises that of
 * routes if asked, and the others for no account.
 */
export const awsLimits = { resources: 500, integrations: 300, routes: 300 } as const;

/** Most resources of a module's stack: it is split before the limit of AWS, so that it can grow. */
export const moduleResources = 400;

const types = {
  integrations: 'AWS::ApiGatewayV2::Integration',
  routes: 'AWS::ApiGatewayV2::Route',
} as const;

/** Which limits of AWS the resources of a template exceed, in words; empty if they fit. */
export function listExcesses(resources: Readonly<Record<string, { Type: string }>>): string[] {
  const all = Object.values(resources);
  const count = (type: string): number => all.filter(({ Type }) => Type === type).length;
  const counts = {
    resources: all.length,
    integrations: count(types.integrations),
    routes: count(types.routes),
  };
  const names = ['resources', 'integrations', 'routes'] as const;
  return names.flatMap((name) =>
    counts[name] > awsLimits[name] ? [`${counts[name]} ${name} of ${awsLimits[name]}`] : [],
  );
}
