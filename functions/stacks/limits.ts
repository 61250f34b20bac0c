/**
 * What AWS allows: resources of a CloudFormation stack, integrations of an HTTP API, and routes of an HTTP API until its
 * quota is raised. The others are raised for no account (API Gateway, "Quotas for configuring and running an HTTP API").
 */
export const awsLimits = { resources: 500, integrations: 300, routes: 300 } as const;

/** Code of the quota "Routes per API" in Service Quotas. */
export const routesQuota = 'L-65B5C802';

/** Most resources of a module's stack: it is split before the limit of AWS, so that it can grow. */
export const moduleResources = 400;
