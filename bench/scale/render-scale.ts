import { renderTable } from '../report/table.ts';
import { type LimitName, limits } from './limits.ts';
import { type Goal, goals, mix, rates, uncachedCallers } from './mix.ts';
import { type Flow, type KeyLoad, type Load, listBusiest, listLimits, simulate } from './simulate.ts';

const names = Object.keys(limits) as LimitName[];
/** Those that the layout of keys decides; an account's quotas can be raised. */
const keyLimits = ['keyWrites', 'keyReads', 'itemTransactions'] as const;

/** Sums of parts are not exact. */
const isAbove = (value: number, name: LimitName): boolean => value > limits[name].most * 1.000001;

const number = (value: number): string =>
  Number(value.toPrecision(3)).toLocaleString('en', { maximumFractionDigits: 1 });
const toName = ({ place, name }: KeyLoad): string => `${place} \`${name}\``;

/** The mix at so many requests a second. */
export function simulateMix(flows: readonly Flow[], perSecond: number): Load {
  const whole = Object.values(mix).reduce((sum, part) => sum + part, 0);
  const parts = Object.entries(mix).map(([scenario, part]) => [scenario, (part / whole) * perSecond]);
  return simulate(flows, Object.fromEntries(parts), uncachedCallers);
}

const simulateGoal = (flows: readonly Flow[], { parts, perSecond }: Goal): Load =>
  simulate(
    flows,
    Object.fromEntries(Object.entries(parts).map(([scenario, each]) => [scenario, each * perSecond])),
    0,
  );

/** The goals that a key does not sustain, each in one line. */
export function listMissed(flows: readonly Flow[]): string[] {
  return goals.flatMap((goal) => {
    const { total } = simulateGoal(flows, goal);
    return keyLimits
      .filter((name) => isAbove(total[name], name))
      .map(
        (name) => `${goal.name}: ${limits[name].name} ${number(total[name])}, at most ${limits[name].most}`,
      );
  });
}

/** The tables of docs/scale.md. */
export function renderScale(flows: readonly Flow[]): string {
  return [
    '### The mix',
    renderRates(flows),
    'A load in bold is above its limit.',
    '### Limits in the order in which they give',
    renderLimits(simulateMix(flows, 1)),
    '### The busiest keys at 10,000 requests a second',
    renderKeys(simulateMix(flows, 10_000)),
    '### Logins, new users and uploads',
    renderGoals(flows),
  ].join('\n\n');
}

function renderRates(flows: readonly Flow[]): string {
  const loads = rates.map((perSecond) => simulateMix(flows, perSecond));
  const row = (name: LimitName) => [
    limits[name].name,
    number(limits[name].most),
    ...loads.map(({ total }) => emphasise(total[name], name)),
  ];
  const first = loads.map((load) => {
    const [limit] = listLimits(load);
    return limit && isAbove(load.total[limit.name], limit.name) ? limits[limit.name].name : '–';
  });
  return renderTable([
    ['', 'limit', ...rates.map((rate) => `${number(rate)}/s`)],
    ...names.map(row),
    ['first to give', '', ...first],
  ]);
}

const emphasise = (value: number, name: LimitName): string =>
  isAbove(value, name) ? `**${number(value)}**` : number(value);

function renderLimits(load: Load): string {
  const detail: Partial<Record<LimitName, string>> = {
    keyWrites: describe(listBusiest(load, 'writeUnits')[0]),
    keyReads: describe(listBusiest(load, 'readUnits')[0]),
    itemTransactions: describe(listBusiest(load, 'transactions')[0]),
  };
  return renderTable([
    ['', 'gives at, requests/s', 'moved by'],
    ...listLimits(load).map(({ name, at }) => [
      `${limits[name].name}${detail[name] ?? ''}`,
      number(at),
      limits[name].movedBy,
    ]),
  ]);
}

const describe = (key: KeyLoad | undefined): string => (key ? `: ${toName(key)}` : '');

function renderKeys(load: Load): string {
  const rows = (kind: 'readUnits' | 'writeUnits' | 'requests', title: string) =>
    listBusiest(load, kind)
      .slice(0, 5)
      .map((key) => [title, toName(key), number(key[kind])]);
  return renderTable([
    ['', 'key', 'a second'],
    ...rows('writeUnits', 'write units'),
    ...rows('readUnits', 'read units'),
    ...rows('requests', 'requests to the cache'),
  ]);
}

function renderGoals(flows: readonly Flow[]): string {
  const rows = goals.map((goal) => {
    const load = simulateGoal(flows, goal);
    const { total } = load;
    const keys = (['writeUnits', 'readUnits', 'transactions'] as const).map((kind) => {
      const [key] = listBusiest(load, kind);
      return key ? `${number(key[kind])} ${toName(key)}` : '–';
    });
    const isHeld = !keyLimits.some((name) => isAbove(total[name], name));
    return [
      `${number(goal.perSecond)} ${goal.name}`,
      ...keys,
      isHeld ? 'yes' : '**no**',
      ...(['concurrency', 'commands', 'tableWrites', 'tableReads'] as const).map((name) =>
        emphasise(total[name], name),
      ),
    ];
  });
  return renderTable([
    [
      'a second',
      'busiest key, write units (1,000)',
      'busiest key, read units (3,000)',
      'busiest item, transactions (100)',
      'every key holds',
      'functions at a time',
      'commands',
      'write units',
      'read units',
    ],
    ...rows,
  ]);
}
