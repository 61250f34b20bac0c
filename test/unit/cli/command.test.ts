import { describe, expect, jest, test } from '@jest/globals';
import { defineCommand, UsageError } from '#cli/command.ts';
import { renderColumns, renderCommandHelp, renderHelp, renderUsage } from '#cli/help.ts';

const run = jest.fn<(given: { positionals: readonly string[]; values: object }) => Promise<void>>();
const command = defineCommand({
  summary: 'move a thing',
  positionals: ['Name', '[text]'],
  options: {
    to: { type: 'string', value: 'PLACE', isRequired: true, summary: 'where it shall be' },
    force: { type: 'boolean', default: false, summary: 'even so' },
  },
  run,
});
const several = defineCommand({ summary: '', positionals: ['pair…'], options: {}, run });
const any = defineCommand({ summary: '', positionals: ['[type…]'], options: {}, run });

describe('a command', () => {
  test('is given its arguments and options', async () => {
    await command.run(['Shop', '--to', 'x', '--force', 'text']);
    await command.run(['Shop', '--to=y']);

    expect(run.mock.calls.map(([given]) => given)).toMatchObject([
      { positionals: ['Shop', 'text'], values: { to: 'x', force: true } },
      { positionals: ['Shop'], values: { to: 'y', force: false } },
    ]);
  });

  test.each([
    ['an argument that is missing', '--to x', 'Name is missing'],
    ['an argument too many', 'Shop text more --to x', '"more" is one argument too many'],
    ['an option that it does not know', 'Shop --to x --fast', /^Unknown option '--fast'/],
    ['an option without its text', 'Shop --to', /--to/],
    ['an option with a text that it does not take', 'Shop --to x --force=1', /--force/],
    ['a required option that is missing', 'Shop', '--to is missing'],
  ])('refuses %s', async (_what, words, message) => {
    const refusal = command.run(words.split(' '));

    await expect(refusal).rejects.toThrow(UsageError);
    await expect(refusal).rejects.toThrow(message);
  });

  test('takes any number of its last argument where that says so', async () => {
    await expect(several.run(['a=1', 'b=2', 'c=3'])).resolves.toBeUndefined();
    await expect(any.run([])).resolves.toBeUndefined();
    await expect(any.run(['a', 'b'])).resolves.toBeUndefined();
    await expect(several.run([])).rejects.toThrow('pair… is missing');
  });

  test('is not led to the stores by wrong arguments', async () => {
    const openStores = jest.fn();
    const reading = defineCommand({ summary: '', options: {}, run: async (given) => given.openStores() });

    await expect(reading.run(['x'], openStores)).rejects.toThrow(UsageError);
    expect(openStores).not.toHaveBeenCalled();
    await reading.run([], openStores);
    expect(openStores).toHaveBeenCalledTimes(1);
  });
});

describe('help', () => {
  test('shows how a command is called', () => {
    const usage = renderUsage('thing:move', command);

    expect(usage).toBe('npm run service -- thing:move Name [text] --to PLACE [--force]');
  });

  test('tells of each option', () => {
    expect(renderCommandHelp('thing:move', command)).toContain(
      '  --to PLACE  where it shall be\n  --force     even so\n',
    );
  });

  test('lists the commands with their summaries', () => {
    expect(renderHelp({ move: command, longer: any })).toContain('  move    move a thing\n  longer\n');
  });

  test('has columns as wide as their widest cell', () => {
    const text = renderColumns([
      ['a', 'b', 'c'],
      ['long', '', 'longer'],
    ]);

    expect(text).toBe('a     b  c\nlong     longer');
  });
});
