/**
 * What AWS allows: resources of a CloudFormation stack, integrations of an HTTP API, and routes of an HTTP API until its
 * quota is raised. The first two are raised for no account (API Gateway, "Quotas for configuring and running an HTTP API").
 * Behaviours of a distribution of CloudFront are raised on request; older accounts may have 25.
 */
export const awsLimits = { resources: 500, integrations: 300, routes: 300, behaviors: 75 } as const;

/** Code of the quota "Routes per API" in Service Quotas. */
export const routesQuota = 'L-65B5C802';

/** Most resources of a module's stack: it is split before the limit of AWS, so that it can grow. */
export const moduleResources = 400;

/** Most resources of the stack `aggregate`: it grows with every module and cannot be split. The rest is for its next change. */
export const aggregateResources = 480;
