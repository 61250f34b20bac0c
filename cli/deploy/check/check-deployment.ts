import type { Parameter } from '@aws-sdk/client-ssm';
import { assertStage, serviceName } from '#functions/names.ts';
import { fromParameter } from '#functions/stacks/deployment.ts';
import { coreStack } from '#functions/stacks/stack.ts';
import { checkCache } from './cache.ts';
import { checkCaller } from './caller.ts';
import { describeFailure, type Finding, renderFindings } from './finding.ts';
import { checkParameters, judgeParameter, putCommand, readSources, type StoredValues } from './parameters.ts';
import { type Plan, publicUrlParameter } from './plan.ts';
import { judgeQuota, readQuota } from './quota.ts';

/** Settings that a deployment chooses by what the account has, unless they are set. */
export type ChosenSettings = { PUBLIC_URL?: string; CONCURRENCY_FACTOR?: string };

/** Checks what can be checked before anything is packaged or deployed. Finds every fault, and throws for none. */
export async function checkDeployment(
  plan: Plan,
): Promise<{ findings: Finding[]; settings: ChosenSettings }> {
  const { region } = plan;
  const stage = checkStage(plan.stage);
  const caller = await checkCaller(region);
  const settings: ChosenSettings = {};
  const found = [stage, caller.credentials, noteDefault(caller.region)];
  const needed = [stage, caller.credentials, caller.region].find(({ state }) => state !== 'ok');
  if (needed) {
    const text = `needs the ${needed.subject}`;
    const others = ['concurrency', 'parameters', 'PUBLIC_URL', 'Upstash'];
    const untried = others.map((subject) => ({ subject, state: 'not tried' as const, text }));
    return { findings: [...found, ...untried], settings };
  }
  const [quota, stores] = await Promise.all([readQuota(region), checkStores(plan)]);
  Object.assign(settings, stores.settings);
  if ('state' in quota) return { findings: [...found, quota, ...stores.findings], settings };
  const canLeaveOut = !plan.isBuilt && !process.env.CONCURRENCY_FACTOR;
  // Reading the sources keeps this process busy: answers would seem late meanwhile.
  const { finding, isReserved } = await judgeQuota(quota, await plan.findReserved(), canLeaveOut);
  if (!isReserved) settings.CONCURRENCY_FACTOR = '0';
  return { findings: [...found, finding, ...stores.findings], settings };
}

function checkStage(stage: string): Finding {
  const subject = 'stage';
  try {
    assertStage(stage);
    return { subject, state: 'ok', text: stage };
  } catch (error) {
    return {
      subject,
      state: 'failed',
      text: describeFailure(error),
      command: 'npm run deploy -- --stage prod --check',
    };
  }
}

/** A profile's region does not count: the framework reads the variable only. */
function noteDefault(region: Finding): Finding {
  if (region.state !== 'ok' || process.env.AWS_REGION) return region;
  const text = `${region.text}, the default: AWS_REGION is not set`;
  return { ...region, state: 'warning', text, command: `export AWS_REGION=${region.text}` };
}

async function checkStores(plan: Plan) {
  const sources = readSources(plan.environment);
  const { findings, values, stored } = await checkParameters(
    plan.region,
    sources,
    publicUrlParameter(plan.stage),
  );
  const isRead = stored !== undefined;
  const url = isRead ? judgePublicUrl(plan, stored.parameter) : { findings: [], settings: {} };
  const cache = await judgeCache(plan, values);
  return { findings: [...findings, ...url.findings, ...cache], settings: url.settings };
}

async function judgeCache({ region, environment }: Plan, values: StoredValues): Promise<Finding[]> {
  if (!('UPSTASH_REDIS_REST_URL' in environment)) return [];
  const [url, token] = [values.get('UPSTASH_REDIS_REST_URL'), values.get('UPSTASH_REDIS_REST_TOKEN')];
  if (!url || !token) return [{ subject: 'Upstash', state: 'not tried', text: 'needs its URL and token' }];
  const { parameters } = readSources(environment);
  const name = parameters.get('UPSTASH_REDIS_REST_TOKEN');
  return [await checkCache(url, token, name && putCommand(region, 'UPSTASH_REDIS_REST_TOKEN', name, true))];
}

/** Which URL the functions get. A stage with a parameter keeps it: links and connections hold the URL. */
function judgePublicUrl(
  { environment, stage, region, isBuilt }: Plan,
  parameter: Parameter | undefined,
): { findings: Finding[]; settings: ChosenSettings } {
  const { PUBLIC_URL: planned } = environment;
  const [subject, name] = ['PUBLIC_URL', publicUrlParameter(stage)];
  const settle = (state: Finding['state'], text: string, command?: string) => ({
    findings: [{ subject, state, text, command }],
    settings: {},
  });
  const stored = parameter?.Value;
  const remove = `aws ssm delete-parameter --region ${region} --name ${name}`;
  if (planned === undefined) return { findings: [], settings: {} };
  if (typeof planned === 'object') {
    const [host, output] =
      'EDGE_SECRET' in environment ? ["CloudFront's", 'EdgeUrl'] : ["the HTTP API's own", 'PublicUrl'];
    const own = `${host} URL, the output ${output} of ${serviceName}-${coreStack}-${stage}`;
    if (stored === undefined) return settle('ok', own);
    if (isBuilt) {
      const rebuild = `PUBLIC_URL=${fromParameter} npm run deploy -- --stage ${stage} --build`;
      const text = `the packages take ${own}, but ${name} is ${stored}: build again to keep it, or delete the parameter`;
      return settle('failed', text, rebuild);
    }
    const judged = judgeParameter(region, 'PUBLIC_URL', name, parameter, new Map());
    if (judged.state !== 'ok') return { findings: [judged], settings: {} };
    return {
      ...settle('ok', `${stored}, from ${name}; without that parameter, ${own}`),
      settings: { PUBLIC_URL: fromParameter },
    };
  }
  if (String(planned).startsWith('{{'))
    return settle(stored ? 'ok' : 'failed', stored ?? `${name} is missing`);
  if (stored !== undefined && !isSameUrl(stored, String(planned))) {
    const text = `the deployment says ${planned}, ${name} says ${stored}: delete the parameter, or unset PUBLIC_URL`;
    return settle('failed', text, remove);
  }
  if (String(planned).startsWith('https://')) return settle('ok', String(planned));
  return settle('failed', `${planned} does not begin with https://`, 'unset PUBLIC_URL');
}

const isSameUrl = (a: string, b: string): boolean => trim(a) === trim(b);
const trim = (url: string): string => (URL.parse(url)?.href ?? url).replace(/\/+$/, '');

/**
 * Checks a deployment and prints the findings. A cache that does not answer stops no deployment: the next version may
 * be what mends it.
 *
 * @param isOnly whether nothing is deployed afterwards: then every failed check counts
 * @throws Error if a check failed
 */
export async function assertDeployable(plan: Plan, isOnly: boolean): Promise<void> {
  const { findings, settings } = await checkDeployment(plan);
  console.log(renderFindings(findings));
  const failed = findings.filter(
    ({ state, subject }) => state === 'failed' && (isOnly || subject !== 'Upstash'),
  );
  if (failed.length > 0) {
    const subjects = failed.map(({ subject }) => subject).join(', ');
    throw new Error(`${isOnly ? 'Not ready' : 'Nothing was deployed'}, because of: ${subjects}.`);
  }
  Object.assign(process.env, settings);
}
