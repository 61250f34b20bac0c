import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createCommand, createProgram, explain, runProgram, UsageError } from '#cli/command.ts';
import { renderColumns } from '#cli/terminal.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { numberAbove0, wholeNumber } from '../../support/numbers.ts';

const argv = process.argv;
let complaint: string;
let exit: jest.SpiedFunction<typeof process.exit>;
beforeEach(() => {
  complaint = '';
  const complain = (text: unknown) => {
    complaint += `${text}`;
    return true;
  };
  jest.spyOn(process.stderr, 'write').mockImplementation(complain);
  jest.spyOn(console, 'error').mockImplementation((text) => void complain(`${text}\n`));
  exit = jest.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`exit ${code}`);
  });
});
afterEach(() => {
  process.argv = argv;
  jest.restoreAllMocks();
});

/** The exit code of a command line with a command that fails with an error. */
async function run(words: string, error?: Error): Promise<unknown> {
  const command = createCommand('thing:move', 'move a thing')
    .argument('<Name>')
    .option('--force')
    .action(() => {
      if (error) throw error;
    });
  const program = createProgram('npm run things', 'Things.').configureOutput({ writeOut: () => {} });
  program.addCommand(command.configureOutput({ writeOut: () => {} }));
  process.argv = ['node', 'things', ...words.split(' ').filter(Boolean)];
  const code = await runProgram(program);
  const [ended] = exit.mock.calls;
  return ended ? ended[0] : code;
}

describe('a command line', () => {
  test.each([
    ['thing:move Shop', 0, ''],
    ['--help', 0, ''],
    ['thing:move --help', 0, ''],
    ['', 2, 'Usage: npm run things --'],
    ['thing:mvoe Shop', 2, "unknown command 'thing:mvoe'\n(Did you mean thing:move?)\nAdd --help"],
    ['thing:move', 2, "missing required argument 'Name'"],
    ['thing:move Shop more', 2, "too many arguments for 'thing:move'"],
    ['thing:move Shop --froce', 2, '(Did you mean --force?)\nAdd --help'],
  ])('exits by its arguments: %j with %d', async (words, code, message) => {
    expect(await run(words)).toBe(code);
    expect(complaint).toContain(message);
  });

  test('distinguishes failures from wrong usage, and prints no stack trace', async () => {
    const codes = [
      await run('thing:move Shop', new Error('The place is full')),
      await run('thing:move Shop', new UsageError('"Shop" is not a place')),
      await run('thing:move Shop', new AppError('dict.type_full', { params: { limit: 3 } })),
    ];

    expect(codes).toEqual([1, 2, 1]);
    expect(complaint).toMatch(
      /^The place is full\n"Shop" is not a place\nAdd --help to see the arguments\.\n.* 3 .*\n$/,
    );
  });
});

describe('a number of the command line', () => {
  test.each(['0', '7', '100000'])('takes the whole number %s', (text) => {
    expect(wholeNumber(0)(text)).toBe(Number(text));
  });

  test.each(['', ' ', '-1', '1.5', 'x', 'NaN', 'Infinity'])('refuses %j as a whole number', (text) => {
    expect(() => wholeNumber(0)(text)).toThrow('It takes a whole number from 0.');
  });

  test.each(['', '0', '-1', 'x', 'Infinity'])('refuses %j as a number above 0', (text) => {
    expect(() => numberAbove0(text)).toThrow('It takes a number above 0.');
    expect(numberAbove0('0.5')).toBe(0.5);
  });
});

test('columns are as wide as their widest cell', () => {
  const text = renderColumns([
    ['a', 'b', 'c'],
    ['long', '', 'longer'],
  ]);

  expect(text).toBe('a     b  c\nlong     longer');
});

test('an error is explained in words, each detail on a line of its own', () => {
  const error = new AppError('request.invalid', {
    errors: [{ path: 'storage.default', message: 'rule.line' }],
  });

  const lines = explain(error).split('\n');

  expect(lines[0]).toMatch(/\(places: 1\)/);
  expect(lines[1]).toMatch(/^ {2}storage\.default: [A-Z]/);
});
