import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { discover } from '#functions/discover/discover.ts';
import { platform } from '#functions/discover/discover-owners.ts';
import { listEnabled, readModuleStates } from '#functions/discover/module-states.ts';
import type { Manifest, Owner } from '#functions/model.ts';
import { renderPages } from '#functions/write-tables.ts';
import { createCommand, UsageError } from '../command.ts';
import { addCode, addMessage, type NewCode } from '../errors/add-code.ts';
import { findModules, pick } from '../modules/find-modules.ts';
import { root } from '../project.ts';

type Messages = Record<'zh_CN' | 'en', string>;

export const errorMake = createCommand(
  'error:make',
  'declare an error code, with its messages and its line in docs/errors.md',
)
  .argument('<Module>', 'the module that answers it')
  .argument('<code>', 'as in shop.sold_out')
  .requiredOption('--status <number>', 'HTTP status, from 400 to 599')
  .requiredOption('--en <text>', 'message in English')
  .requiredOption('--zh <text>', 'message in Chinese')
  .option('--when <text>', 'when it is answered, for docs/errors.md; the English message by default')
  .action(async (name, code, { status, en, zh, when = en }) => {
    const added = { code, status: Number(status), when };
    const messages = { zh_CN: zh, en };
    assertInput(added, messages);
    pick(await findModules(), name);
    const enabled = listEnabled(readModuleStates(root));
    const manifest = await discover(root, undefined, [...new Set([...enabled, name])]);
    const owner = manifest.modules.find((each) => each.manifest.name === name);
    if (!owner) throw new Error(`The module ${name} cannot be read`);
    assertFree(code, [platform, ...manifest.modules]);
    const edits = editOwner(owner, added, messages);
    const isInDocs = enabled.includes(name);
    writeAll(edits, () => (isInDocs ? renderPages(root, withCode(manifest, owner, added)) : {}));
    console.log([`Made ${code}:`, ...[...edits.keys()].map((file) => `  ${file}`)].join('\n'));
    console.log(
      isInDocs
        ? 'Written: docs/errors.md'
        : `${name} is not enabled: npm run docs writes docs/errors.md later`,
    );
  });

/** @throws UsageError for a code, a status or a text that the checks of modules would refuse */
function assertInput({ code, status, when }: NewCode, { zh_CN, en }: Messages): void {
  if (!/^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/.test(code))
    throw new UsageError(`"${code}" is not a code: write it as shop.sold_out`);
  if (!Number.isInteger(status) || status < 400 || status > 599)
    throw new UsageError('The status is a number from 400 to 599');
  for (const text of [zh_CN, en, when])
    if (text.trim() === '' || /[\r\n]/.test(text)) throw new UsageError('A text is one line, and not empty');
  if (when.includes('|')) throw new UsageError('The text of --when stands in a table: write it without |');
  if (listPlaceholders(zh_CN) !== listPlaceholders(en))
    throw new UsageError('Both messages need the same placeholders, as in {size}');
}

const listPlaceholders = (text: string): string => (text.match(/\{\w+\}/g) ?? []).sort().join();

/** @throws Error if an owner has the code, or a message of its name */
function assertFree(code: string, owners: readonly Owner[]): void {
  for (const { errors, messages, files } of owners) {
    if (Object.hasOwn(errors, code)) throw new Error(`${files.errors} has the code ${code} already`);
    for (const [locale, texts] of Object.entries(messages))
      if (Object.hasOwn(texts, code))
        throw new Error(`${files.lang}/${locale}.json has a text of ${code} already`);
  }
}

/** The new text of each file. @throws Error naming a file that is not of the usual form */
function editOwner({ files }: Owner, added: NewCode, messages: Messages): Map<string, string> {
  const edit = (file: string, change: (source: string | undefined) => string): [string, string] => {
    try {
      return [file, change(readIfThere(file))];
    } catch (error) {
      throw new Error(`${file}: ${error instanceof Error ? error.message : error}`, { cause: error });
    }
  };
  return new Map([
    edit(files.errors, (source) => addCode(source, added)),
    ...Object.entries(messages).map(([locale, text]) =>
      edit(`${files.lang}/${locale}.json`, (source) => addMessage(source, added.code, text)),
    ),
  ]);
}

const readIfThere = (file: string): string | undefined =>
  existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : undefined;

/** The declarations after the edit: the file is loaded already, as it was before. */
const withCode = (manifest: Manifest, owner: Owner, { code, status }: NewCode): Manifest => ({
  ...manifest,
  modules: manifest.modules.map((each) =>
    each === owner ? { ...each, errors: { ...each.errors, [code]: status } } : each,
  ),
});

/** Writes files, and pages that are made of them; restores them if that fails. */
function writeAll(edits: ReadonlyMap<string, string>, render: () => Record<string, string>): void {
  const before = [...edits.keys()].map((file) => [file, readIfThere(file)] as const);
  try {
    for (const [file, text] of edits) write(file, text);
    for (const [file, text] of Object.entries(render())) write(file, text);
  } catch (error) {
    for (const [file, text] of before) {
      if (text === undefined) rmSync(join(root, file), { force: true });
      else write(file, text);
    }
    throw error;
  }
}

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}
