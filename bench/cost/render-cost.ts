import { renderTable } from '../report/table.ts';
import type { Bill, ScenarioBill } from './bill.ts';
import { assumed, prices } from './prices.ts';

const dollars = (value: number): string => `$${value.toFixed(2)}`;
const units = (value: number): string => String(Number(value.toFixed(1)));
const perMillion = (value: number): string => dollars(value * 1e6);

const cells = ({ commands, writeUnits, readUnits, gbMs, perMillion: cost }: Bill): string[] => [
  String(commands),
  units(writeUnits),
  units(readUnits),
  gbMs.toFixed(1),
  dollars(cost),
];

/** The bills as a table, in Markdown. */
export const renderBills = (bills: readonly ScenarioBill[]): string =>
  renderTable([
    [
      '',
      ...['warm', 'uncached'].flatMap((when) =>
        ['commands', 'WU', 'RU', 'GB-ms', '$/M'].map((of) => `${when} ${of}`),
      ),
    ],
    ...bills.map(({ scenario, hit, miss }) => [`\`${scenario}\``, ...cells(hit), ...cells(miss)]),
  ]);

/** The prices and assumptions, and what every route costs with them. */
export function renderCost(bills: readonly ScenarioBill[]): string {
  const { region, asOf, lambdaGbSecond, lambdaRequest, gatewayRequest, writeUnit, readUnit, command } =
    prices;
  return [
    `List prices of ${region} on ${asOf}:`,
    renderTable([
      ['', 'US dollars'],
      ['Lambda, arm64, per GB-second', `$${lambdaGbSecond}`],
      ['Lambda, per million requests', perMillion(lambdaRequest)],
      ['API Gateway, HTTP API, per million requests', perMillion(gatewayRequest)],
      ['DynamoDB on demand, per million write units', `$${writeUnit * 1e6}`],
      ['DynamoDB on demand, per million read units', `$${readUnit * 1e6}`],
      ['Upstash, pay as you go, per million commands', perMillion(command)],
    ]),
    `Assumed: a round trip to a store takes ${assumed.roundTripMs} ms, and a function has a whole processor from ` +
      `${assumed.fullCpuMemoryMb} MB on.`,
    renderBills(bills),
  ].join('\n\n');
}
