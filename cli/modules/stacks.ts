import { aggregateStack, coreStack } from '#functions/stacks/stack.ts';
import { toRoutePrefix } from '#shared/module/module.ts';

/** Names of stacks that are no module's. */
export const otherStacks: readonly string[] = [coreStack, aggregateStack];

// `core` answers paths that no route takes, so it has to know which there are.

/** What to deploy once a module is part of the service. */
export const describeDeployment = (name: string): string =>
  `Redeploy: ${coreStack}, ${toRoutePrefix(name)}, ${aggregateStack}`;

/** What to deploy once a module is no longer part of the service. */
export const describeRetreat = (name: string): string =>
  `Redeploy: ${coreStack}, ${aggregateStack}; remove the stack ${toRoutePrefix(name)}`;
