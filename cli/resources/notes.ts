import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import type { ModuleState } from '#functions/discover/module-states.ts';
import { readText, writeFiles } from '#functions/write-files.ts';

/** What a command has written, so that it can be undone. */
export interface Note {
  /** What a user types to repeat it, without its fields: `resource:make Shop product`. */
  command: string;
  module: string;
  /** In the order of their writing: each imports only earlier ones. */
  files: NotedFile[];
  /** The state of the module before, if the command changes it; null if it was not listed. */
  state?: ModuleState | null;
}

export interface NotedFile {
  file: string;
  /** Null if it did not exist. */
  before: string | null;
  /** SHA-256 of the text that the command wrote. */
  written: string;
}

// A note cannot be made again, so it is not in `.build/`; it is about one working copy, so git ignores it.
const folder = '.undo';

/** The file of a note. @param field of a note of `resource:field` */
export const noteFile = (module: string, resource: string, field?: string): string =>
  `${folder}/${module}/${field === undefined ? resource : `${resource}.${field}`}.json`;

export function readNote(root: string, file: string): Note | undefined {
  const text = readText(root, file);
  return text === undefined ? undefined : JSON.parse(text);
}

/** @param note undefined removes it */
export function saveNote(root: string, file: string, note: Note | undefined): void {
  writeFiles(root, new Map([[file, note && `${JSON.stringify(note, null, 2)}\n`]]));
}

export const listNotes = (root: string): Note[] =>
  globSync(`${folder}/*/*.json`, { cwd: root }).flatMap((file) => readNote(root, file) ?? []);

/** Whether a file holds what a command wrote. */
export const isAsWritten = (text: string | undefined, { written }: NotedFile): boolean =>
  text !== undefined && hash(text) === written;

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Notes what a command is about to write, then writes it. A command that was interrupted is repeated: what it has
 * written before keeps its note.
 *
 * @param at the file of the note
 */
export function writeNoted(
  root: string,
  at: string,
  { state, ...note }: Omit<Note, 'files'>,
  texts: ReadonlyMap<string, string>,
): void {
  const earlier = readNote(root, at);
  const kept = new Map(
    earlier?.files
      .filter((each) => isAsWritten(readText(root, each.file), each))
      .map((each) => [each.file, each]),
  );
  const first = earlier && kept.size > 0 ? earlier.state : state;
  const added = [...texts].flatMap(([file, text]): NotedFile[] => {
    const known = kept.get(file);
    const before = known ? known.before : (readText(root, file) ?? null);
    return before === text ? [] : [{ file, before, written: hash(text) }];
  });
  const rest = [...kept.values()].filter(({ file }) => !texts.has(file));
  const files = [...added, ...rest].sort((a, b) => rank(a.file) - rank(b.file));
  saveNote(root, at, { ...note, files, ...(first === undefined ? {} : { state: first }) });
  writeFiles(root, new Map(files.flatMap(({ file }) => (texts.has(file) ? [[file, texts.get(file)]] : []))));
}

/** The manifest, files in folders, which import each other as they are listed, then those that import them. */
const order = [
  /^[^/]+\/[^/]+\/module\.ts$/,
  /^[^/]+\/[^/]+\/.*\//,
  /\/uninstall\.ts$/,
  /\/demo\.ts$/,
  /\.test\.ts$/,
];
const rank = (file: string): number => order.findIndex((form) => form.test(file));

/**
 * A text with the change of a command. @param at the file of its note
 * @returns the text as it is if the command wrote it: it was interrupted, and is repeated
 */
export function changeOnce(
  root: string,
  at: string,
  [file, text]: readonly [file: string, text: string],
  change: (text: string) => string,
): string {
  const noted = readNote(root, at)?.files.find((each) => each.file === file);
  const isRepeated = noted?.before && isAsWritten(text, noted) && change(noted.before) === text;
  return isRepeated ? text : change(text);
}
