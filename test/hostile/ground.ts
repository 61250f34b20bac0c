import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildConsole } from '#cli/console/build-console.ts';
import { root } from '#cli/project.ts';
import { ApiContract } from '../support/api-contract.ts';
import { type Functions, startFunctions } from '../support/functions.ts';
import { createWorld, type World } from './world/world.ts';

/** A service with a world, and the contract of its answers. */
export interface Ground {
  functions: Functions;
  world: World;
  document: Record<string, unknown>;
  contract: ApiContract;
  stop(): Promise<void>;
}

/** Starts the functions with cheap password hashes, and fills their stores. */
export async function prepareGround(): Promise<Ground> {
  await buildConsole();
  const environment = { ALLOW_PRIVATE_ENDPOINTS: '1', TZ_NAME: 'Asia/Shanghai' };
  const functions = await startFunctions({ environment });
  const world = await createWorld(functions);
  const document = JSON.parse(readFileSync(join(root, '.build', 'openapi', 'en.json'), 'utf8'));
  return {
    functions,
    world,
    document,
    contract: new ApiContract(document),
    async stop() {
      await world.stop();
      await functions.stop();
    },
  };
}
