import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { reasonOf } from '#functions/scope.ts';
import { currentVersion } from '../migrate.ts';
import { root } from '../project.ts';
import { goBack } from './back.ts';
import { checkStage, type StageCheck } from './check-stage.ts';
import type { DeployStack } from './deploy-stacks.ts';
import { markRun, readHistory } from './history.ts';
import { readPollMs } from './stack-state.ts';
import { readCoreOutput, readStageEnvironment, readTableVersion } from './stage-facts.ts';

interface VerifyOptions {
  region: string;
  stage: string;
  checks: readonly StageCheck[];
  projectRoot?: string;
  deploy?: DeployStack;
  /** Raises the table's data. @throws Error if it fails */
  migrate?: (region: string, stage: string) => Promise<void>;
}

/**
 * Checks a stage after a deployment, raises its data if that is due, and checks it again. If anything fails, the last
 * run is put back; what was verified before stays.
 *
 * @throws Error naming what failed, and what was done about it
 */
export async function verifyStage(options: VerifyOptions): Promise<void> {
  const { region, stage } = options;
  const faults = await findFaults(options);
  const history = await readHistory(region, stage);
  const last = history?.runs.at(-1);
  if (faults.length === 0) {
    if (last && last.state !== 'open') await markRun(region, stage, last.id, 'verified');
    console.log(`${stage} works: ${options.checks.map(({ path }) => path).join(', ')}`);
    return;
  }
  const failed = `${stage} does not work:\n${faults.join('\n')}`;
  if (last?.kind !== 'deploy' || last.state === 'verified')
    throw new Error(`${failed}\nNothing was put back: no deployment has come since it worked.`);
  console.error(`${failed}\nGoing back.`);
  try {
    await goBack(options);
  } catch (error) {
    throw new Error(`${failed}\nNot put back: ${reasonOf(error)}`);
  }
  throw new Error(`${stage} did not work, and the last deployment was put back.`);
}

async function findFaults({ region, stage, checks, migrate = runMigrate }: VerifyOptions): Promise<string[]> {
  // Behind CloudFront, the HTTP API itself refuses requests.
  const url = (await readCoreOutput(region, stage, 'EdgeHostUrl', 'HttpApiUrl')).replace(/\/+$/, '');
  // New code works with older data. Before the data is raised, the code can still go back.
  const faults = await checkStage(url, checks, readPollMs());
  if (faults.length > 0 || (await readTableVersion(region, stage)) >= currentVersion) return faults;
  try {
    await migrate(region, stage);
  } catch (error) {
    return [`migrate: ${reasonOf(error)}`];
  }
  return checkStage(url, checks, readPollMs());
}

/** Runs `migrate` with the environment of the stage's functions. */
async function runMigrate(region: string, stage: string): Promise<void> {
  await runService(['migrate'], await readStageEnvironment(region, stage));
}

/** Runs a command of `npm run service` on a deployed stage. @throws Error if it fails */
export async function runService(
  args: readonly string[],
  variables: NodeJS.ProcessEnv,
  output: 'inherit' | 'ignore' = 'inherit',
): Promise<void> {
  const env = { ...process.env, ...variables };
  const child = spawn(process.execPath, ['cli/service.ts', ...args], {
    cwd: root,
    env,
    stdio: ['ignore', output, 'inherit'],
  });
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`${args.join(' ')} failed`);
}
