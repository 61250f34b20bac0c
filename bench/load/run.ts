import { createProgram } from '../../cli/command.ts';
import { numberAbove0, wholeNumber } from '../../test/support/numbers.ts';
import { createLoadClient } from './client.ts';
import { drive } from './drive.ts';
import { type Credentials, type LoadServer, startLoadServer } from './server.ts';
import { describeTally, renderTable, sumTallies, type Tally } from './tally.ts';
import { createTraffic, prepareTraffic } from './traffic.ts';

function readSteps(text: string): number[] {
  return text.split(',').map(wholeNumber(1));
}

const summary =
  'Sends mixed traffic at rising concurrency and prints rate, percentiles and errors; see docs/bench.md. ' +
  'Ends with 1 if there were errors.';
const values = createProgram('npm run load', summary)
  .option(
    '--url <URL>',
    'a server that runs, with ADMIN_ACCOUNT and ADMIN_PASSWORD set; a new local one without it',
  )
  .option('--seconds <N>', 'how long, all steps together', numberAbove0, 60)
  .option('--concurrency <LIST>', 'requests at once, step by step', readSteps, [1, 4, 16, 64])
  .parse()
  .opts();
const { seconds, concurrency: steps } = values;

function readCredentials(): Credentials {
  const { ADMIN_ACCOUNT: account, ADMIN_PASSWORD: password } = process.env;
  if (!account || !password) throw new Error('--url needs ADMIN_ACCOUNT and ADMIN_PASSWORD');
  return { account, password };
}

async function run(url: string, credentials: Credentials): Promise<Tally> {
  const client = createLoadClient(url);
  const { token, visitors } = await prepareTraffic(client, credentials, Math.max(...steps));
  const kinds = createTraffic(token, credentials);
  // Functions load on their first request.
  await drive(client, kinds, visitors.slice(0, 1), Math.min(5, seconds / steps.length));
  const each = seconds / steps.length;
  const results: Map<string, Tally>[] = [];
  for (const step of steps) results.push(await drive(client, kinds, visitors.slice(0, step), each));
  client.close();
  const all = sumTallies(results.flatMap((tallies) => [...tallies.values()]));
  const bySteps = results.map((tallies, index) => [
    `${steps[index]}`,
    ...describeTally(sumTallies([...tallies.values()]), each),
  ]);
  const byKinds = kinds.map(({ name }) => [
    name,
    ...describeTally(sumTallies(results.flatMap((tallies) => tallies.get(name) ?? [])), seconds),
  ]);
  console.log(renderTable('at once', [...bySteps, ['all', ...describeTally(all, seconds)]]));
  console.log(`\n${renderTable('kind', byKinds)}`);
  return all;
}

let server: LoadServer | undefined;
try {
  server = values.url ? undefined : await startLoadServer();
  const credentials = server?.credentials ?? readCredentials();
  const { faults } = await run(server?.url ?? values.url ?? '', credentials);
  for (const line of server?.errors.slice(0, 10) ?? []) console.error(line);
  if (faults.size > 0 || (server?.errors.length ?? 0) > 0) process.exitCode = 1;
} finally {
  await server?.stop();
}
