import { parseArgs } from 'node:util';

/** A command of this CLI. */
export interface Command {
  /** Arguments as `--help` shows them. */
  usage: string;
  /** One line for `--help`. */
  summary: string;
  /** A line for each option. */
  options: readonly { name: string; summary: string }[];
  /**
   * @param openStores points the process at the stores, where the command needs them
   * @throws UsageError for arguments that it does not take
   */
  run(args: readonly string[], openStores?: () => void): Promise<void>;
}

/** Arguments that a command does not take; the CLI exits with 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** An option as a command declares it. */
export interface OptionDefinition {
  type: 'boolean' | 'string';
  /** What a text stands for, as `--help` shows it. */
  value?: string;
  /** Whether it has to be there. @default false */
  isRequired?: boolean;
  default?: boolean;
  summary: string;
}
type Options = Record<string, OptionDefinition>;

const parse = <const O extends Options>(args: readonly string[], options: O) =>
  parseArgs({ args: [...args], options, allowPositionals: true });

/** What a command is given of its arguments. */
export interface Arguments<O extends Options> {
  positionals: readonly string[];
  values: ReturnType<typeof parse<O>>['values'];
  /** Points the process at the stores: for a command that needs them, once it finds its arguments well. */
  openStores(): void;
}

export interface CommandDefinition<O extends Options> {
  summary: string;
  /** As `--help` shows them: `'Name'` has to be there, `'[text]'` may be, `'[type…]'` may be several. */
  positionals?: readonly string[];
  options: O;
  run(args: Arguments<O>): Promise<void>;
}

/** Declares a command; options and arguments that it does not name are refused. */
export function defineCommand<const O extends Options>(definition: CommandDefinition<O>): Command {
  const { summary, positionals = [], options, run } = definition;
  const entries: [string, OptionDefinition][] = Object.entries(options);
  return {
    summary,
    usage: [...positionals, ...entries.map(([name, option]) => showOption(name, option))].join(' '),
    options: entries.map(([name, option]) => ({ name: spell(name, option), summary: option.summary })),
    async run(args, openStores = () => {}) {
      const parsed = refuseByUsage(() => parse(args, options));
      checkPositionals(parsed.positionals, positionals);
      checkRequired(parsed.values, entries);
      await run({ ...parsed, openStores });
    },
  };
}

const spell = (name: string, { value }: OptionDefinition) => (value ? `--${name} ${value}` : `--${name}`);

function showOption(name: string, option: OptionDefinition): string {
  return option.isRequired ? spell(name, option) : `[${spell(name, option)}]`;
}

function refuseByUsage<T>(step: () => T): T {
  try {
    return step();
  } catch (error) {
    // Node goes on with a hint about `--`, which no command here needs.
    const [message] = String(Object(error).message).split('. To specify');
    throw new UsageError(message, { cause: error });
  }
}

function checkPositionals(given: readonly string[], declared: readonly string[]): void {
  const missing = declared.filter((text) => !text.startsWith('[')).at(given.length);
  if (missing !== undefined) throw new UsageError(`${missing} is missing`);
  const isOpen = /…\]?$/.test(declared.at(-1) ?? '');
  const excess = isOpen ? undefined : given.at(declared.length);
  if (excess !== undefined) throw new UsageError(`"${excess}" is one argument too many`);
}

function checkRequired(values: object, entries: readonly [string, OptionDefinition][]): void {
  const missing = entries.find(([name, { isRequired }]) => isRequired && !Object.hasOwn(values, name));
  if (missing) throw new UsageError(`--${missing[0]} is missing`);
}
