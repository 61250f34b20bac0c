import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ModuleState, readModuleStates, writeModuleStates } from '#functions/discover/module-states.ts';
import { modulesFolder } from '#functions/model.ts';
import { readText, writeFiles } from '#functions/write-files.ts';
import { isAsWritten, listNotes, type Note, type NotedFile, readNote, saveNote } from './notes.ts';

/** What undoing a command changes. */
export interface Undoing {
  note: Note;
  /** The texts to put back, by path; undefined removes a file. The last written comes first. */
  back: Map<string, string | undefined>;
  /** Files that were edited since. */
  edited: string[];
  /** Files that those need which stay. */
  needed: string[];
  /** The state of the module afterwards, if it changes; null takes it out of the list. */
  state?: ModuleState | null;
}

/**
 * Plans to undo a command.
 *
 * @param at the file of its note
 * @returns undefined without a note
 * @throws Error naming a file that serves others too and was edited since, or the command to undo first
 */
export function planUndo(root: string, at: string): Undoing | undefined {
  const note = readNote(root, at);
  if (!note) return undefined;
  const edited = note.files.filter((each) => isEdited(root, each));
  for (const { file } of edited) assertLatest(root, note, file);
  for (const each of edited) {
    if (isShared(note, each))
      throw new Error(
        `${each.file} was edited since: nothing is changed. Put it back as it was, or undo "${note.command}" by hand`,
      );
  }
  const back = new Map(
    note.files
      .filter((each) => !edited.includes(each))
      .map(({ file, before }): [string, string | undefined] => [file, before ?? undefined])
      .reverse(),
  );
  const needed = keepNeeded(root, note, back);
  const state = stateAfter(root, note, back, [...edited.map(({ file }) => file), ...needed]);
  return { note, back, edited: edited.map(({ file }) => file), needed, ...state };
}

/** Undoes a command as planned. Safe to repeat; the note stays until {@link closeUndo}. */
export function undo(root: string, { note, back, state }: Undoing): void {
  // The state first: a module that is listed has a manifest.
  if (state !== undefined) {
    const states = new Map(readModuleStates(root));
    if (state) states.set(note.module, state);
    else states.delete(note.module);
    writeModuleStates(root, states);
  }
  writeFiles(root, back);
}

/** Removes the note of a command, or what it says about files that are put back. */
export function closeUndo(root: string, at: string, { note, back }: Undoing): void {
  const files = note.files.filter(({ file }) => !back.has(file));
  saveNote(root, at, files.length > 0 ? { ...note, files } : undefined);
}

function isEdited(root: string, noted: NotedFile): boolean {
  const text = readText(root, noted.file);
  return (text ?? null) !== noted.before && !isAsWritten(text, noted);
}

/** @throws Error naming the command that wrote a file last */
function assertLatest(root: string, note: Note, file: string): void {
  const text = readText(root, file);
  const later = listNotes(root).find(
    ({ command, files }) =>
      command !== note.command && files.some((each) => each.file === file && isAsWritten(text, each)),
  );
  if (later)
    throw new Error(
      `"${later.command}" changed ${file} later: nothing is changed. Undo that first: npm run service -- ${later.command} --undo`,
    );
}

/** Whether a file serves more than one resource, or was there before. */
const isShared = ({ module }: Note, { file, before }: NotedFile): boolean =>
  before !== null || isOfModule(module, file);

/** Whether a module has a file once, as its manifest. */
const isOfModule = (module: string, file: string): boolean =>
  dirname(file) === `modules/${module}` && !file.endsWith('.test.ts');

/** Leaves files as they are that others need which stay. @returns their paths */
function keepNeeded(root: string, note: Note, back: Map<string, string | undefined>): string[] {
  const texts = readModules(root, note.module);
  const needed: string[] = [];
  for (;;) {
    const more = [...listImported(back, texts), ...listServing(note, back, texts)];
    if (more.length === 0) return needed;
    for (const file of more) back.delete(file);
    needed.push(...new Set(more));
  }
}

/** The sources of all modules; other files of this one, which import nothing. */
function readModules(root: string, module: string): Map<string, string> {
  const files = globSync([`modules/${module}/**/*.*`, 'modules/**/*.{ts,mts,js,mjs,vue}'], { cwd: root });
  const isSource = (file: string) => /\.(?:ts|mts|js|mjs|vue)$/.test(file);
  return new Map(files.map((file) => [file, isSource(file) ? (readText(root, file) ?? '') : '']));
}

/** Files to remove that other files will still import. */
function listImported(
  back: ReadonlyMap<string, string | undefined>,
  texts: ReadonlyMap<string, string>,
): string[] {
  const imported = new Set(
    [...texts].flatMap(([file, text]) => listImports(file, back.has(file) ? (back.get(file) ?? '') : text)),
  );
  return [...back].flatMap(([file, text]) =>
    text === undefined && texts.has(file) && imported.has(file) ? [file] : [],
  );
}

/** Files of the module that serve files which stay: the title of their page, the removal of data, example data. */
function listServing(
  { module, files }: Note,
  back: ReadonlyMap<string, string | undefined>,
  texts: ReadonlyMap<string, string>,
): string[] {
  const home = `${modulesFolder}/${module}`;
  const manifest = `${home}/module.ts`;
  const staying = [...texts.keys()].filter((file) => !back.has(file));
  const own = files.flatMap(({ file, before }) =>
    before === null && !isOfModule(module, file) && staying.includes(file) ? [file] : [],
  );
  const isNew = back.get(manifest) === undefined;
  const needsManifest = own.length > 0 || (isNew && staying.some((file) => file.startsWith(`${home}/`)));
  return [...back.keys()].filter((file) => {
    if (!texts.has(file) || !isOfModule(module, file)) return false;
    if (file === manifest) return needsManifest;
    return listImports(file, texts.get(file) ?? '').some((each) => own.includes(each));
  });
}

/** Files of the project that a source names in quotation marks: all that it imports, and perhaps more. */
function listImports(file: string, text: string): string[] {
  return [...text.matchAll(/(['"`])(\.{1,2}\/|#)([^'"`\n]+)\1/g)].map(([, , start = '', rest = '']) =>
    start === '#' ? rest : join(dirname(file), start, rest),
  );
}

/** The state of the module after undoing, if that changes it. */
function stateAfter(
  root: string,
  { module, state }: Note,
  back: ReadonlyMap<string, string | undefined>,
  left: readonly string[],
): Pick<Undoing, 'state'> {
  const manifest = `modules/${module}/module.ts`;
  const now = readModuleStates(root).get(module);
  if (state === undefined || !now) return {};
  const isGone = back.has(manifest) ? back.get(manifest) === undefined : !existsSync(join(root, manifest));
  if (isGone) return { state };
  const isAsMade = now.installed && now.enabled;
  const isBack = state?.installed && state.enabled;
  return isAsMade && !isBack && left.length === 0 ? { state } : {};
}
