import { aggregateStack, coreStack } from '#functions/stacks/stack.ts';
import { toRoutePrefix } from '#shared/module/module.ts';

/** Names of stacks that are no module's. */
export const otherStacks: readonly string[] = [coreStack, aggregateStack];

/** What to deploy once a module is part of the service. */
export const describeDeployment = (name: string): string =>
  `Redeploy: ${toRoutePrefix(name)}, ${aggregateStack}`;

/** What to deploy once a module is no longer part of the service. */
export const describeRetreat = (name: string): string =>
  `Redeploy: ${aggregateStack}; remove the stack ${toRoutePrefix(name)}`;
