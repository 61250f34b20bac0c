import fs from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { root as project } from '#cli/project.ts';
import { addField } from '#cli/resources/add-field.ts';
import { changeOnce, noteFile, writeNoted } from '#cli/resources/notes.ts';
import { parseField, parseFields } from '#cli/resources/parse-field.ts';
import { planResource } from '#cli/resources/plan-resource.ts';
import { createResourceNames } from '#cli/resources/resource-names.ts';
import { closeUndo, planUndo, undo } from '#cli/resources/undo.ts';
import { readModuleStates, writeModuleStates } from '#functions/discover/module-states.ts';
import { readText } from '#functions/write-files.ts';
import { fieldLists } from '../../modules-of-others/random-fields.ts';
import { createTempDir } from '../../support/local-server.ts';

let root: string;
const at = (file: string) => join(root, file);
const write = (file: string, text: string) => {
  fs.mkdirSync(dirname(at(file)), { recursive: true });
  fs.writeFileSync(at(file), text);
};

/** Modules that a resource is added to. */
const starts = {
  new: {},
  empty: {
    'modules/Shop/module.ts': `import { defineModule } from '#shared/module/module.ts';
export default defineModule({ name: 'Shop', title: { zh_CN: '甲', en: 'A' }, version: '1.0.0' });
`,
  },
  byHand: {
    'modules/Shop/module.ts': `import { defineModule } from '#shared/module/module.ts';
// By hand.
export default defineModule({
  name: 'Shop', title: { zh_CN: '甲', en: 'A' }, version: '1.0.0',
  adminFolders: { kind: { zh_CN: '甲', en: 'Kinds' } },
});
`,
    'modules/Shop/uninstall.ts': `import { defineUninstall } from '#shared/module/module.ts';
import { kinds } from './kinds.ts';
export default defineUninstall({ run: async () => ({ kinds: await kinds.removeAll() }) });
`,
    'modules/Shop/kinds.ts': 'export const kinds = { removeAll: async () => 1 };\n',
  },
};
type Start = keyof typeof starts;

function begin(start: Start): void {
  fs.rmSync(root, { recursive: true, force: true });
  write('modules/modules.json', '{\n  "System": { "installed": true, "enabled": true }\n}\n');
  for (const [file, text] of Object.entries(starts[start])) write(file, text);
  const state = { installed: true, enabled: true };
  if (start !== 'new') writeModuleStates(root, new Map([...readModuleStates(root), ['Shop', state]]));
}

beforeEach(() => {
  root = createTempDir();
});

/** Files and folders, without those of the build. */
const readTree = (): Record<string, string> =>
  Object.fromEntries(
    fs
      .readdirSync(root, { recursive: true, withFileTypes: true })
      .map((entry) => ({ entry, file: relative(root, join(entry.parentPath, entry.name)) }))
      // Empty folders that git ignores do not matter.
      .filter(
        ({ entry, file }) => !/^\.build\b/.test(file) && !(entry.isDirectory() && file.startsWith('.undo')),
      )
      .map(({ entry, file }): [string, string] => [
        file,
        entry.isDirectory() ? '' : fs.readFileSync(at(file), 'utf8'),
      ])
      .sort(),
  );
const readModules = () =>
  Object.fromEntries(Object.entries(readTree()).filter(([file]) => file.startsWith('modules/')));

const allParts = { isOpen: true, isOwn: false, hasTools: true };
const fewParts = { isOpen: false, isOwn: false, hasTools: false };

/** What `resource:make` writes, without its formatting. */
function make(sources: readonly string[], parts = allParts, resource = 'product'): void {
  const names = createResourceNames('Shop', resource);
  const { made, changed } = planResource(names, parseFields(sources), parts, { root, modules: [] });
  const state = readModuleStates(root).get('Shop') ?? null;
  const command = `resource:make Shop ${resource}`;
  const note = noteFile('Shop', resource);
  writeNoted(root, note, { command, module: 'Shop', state }, new Map([...made, ...changed]));
  writeModuleStates(root, new Map([...readModuleStates(root), ['Shop', { installed: true, enabled: true }]]));
}

const declaration = 'modules/Shop/products/products.ts';

/** What `resource:field` writes, without its formatting. */
function addTo(name: string): void {
  const at = noteFile('Shop', 'product', name);
  const source = readText(root, declaration) ?? '';
  const add = (text: string) => addField(text, parseField(`${name}:integer(0,9)`));
  const changed = changeOnce(root, at, [declaration, source], add);
  const note = { command: `resource:field Shop product ${name}`, module: 'Shop' };
  writeNoted(root, at, note, new Map([[declaration, changed]]));
}

function takeBack(note: string): void {
  const plan = planUndo(root, note);
  if (!plan) return;
  undo(root, plan);
  closeUndo(root, note, plan);
}
const undoMake = (resource = 'product') => takeBack(noteFile('Shop', resource));
const undoField = (name: string) => takeBack(noteFile('Shop', 'product', name));

/** Imports that lead to no file, and modules that are listed without a manifest. */
function listBroken(): string[] {
  const files = Object.entries(readModules()).filter(([file]) => file.endsWith('.ts'));
  const imports = files.flatMap(([file, text]) =>
    [...text.matchAll(/from '((?:\.|#modules\/)[^']+)'/g)].flatMap(([, target = '']) => {
      const path = target.startsWith('#') ? target.slice(1) : join(dirname(file), target);
      const isThere = fs.existsSync(path.startsWith('modules/Shop/') ? at(path) : join(project, path));
      return isThere ? [] : [`${file}: ${target}`];
    }),
  );
  const listed = [...readModuleStates(root).keys()].filter((name) => name !== 'System');
  return [...imports, ...listed.filter((name) => !fs.existsSync(at(`modules/${name}/module.ts`)))];
}

const anyStart = fc.constantFrom<Start>('new', 'empty', 'byHand');
const sampleFields = ['name:text(100) search', 'status:dict(shop_status) filter', 'price:money'];

describe('undoing a resource', () => {
  test('gives back every file, and the state of the module', () => {
    fc.assert(
      fc.property(fieldLists, anyStart, (fields, start) => {
        begin(start);
        const before = readTree();
        make(fields);
        const made = readModules();
        addTo('extra');

        undoField('extra');
        expect(readModules()).toEqual(made);
        undoMake();
        expect(readTree()).toEqual(before);
      }),
      { numRuns: 25 },
    );
  });

  test('keeps each edit, and all that the edited file needs', () => {
    fc.assert(
      fc.property(fieldLists, anyStart, fc.nat(), fc.boolean(), (fields, start, choice, isAdded) => {
        begin(start);
        const original = readTree();
        make(fields);
        const made = Object.keys(readModules()).filter((file) => /\/Shop\/.*\.ts$/.test(file));
        const edited = made[choice % made.length] ?? '';
        const file = isAdded ? 'modules/Shop/by-hand/mine.ts' : edited;
        const text = isAdded
          ? `export * from '../${edited.slice(13)}';\n`
          : `${readText(root, file)}// Mine.\n`;
        write(file, text);
        const before = readTree();

        try {
          undoMake();
        } catch (error) {
          expect(String(error)).toContain(`${file} was edited since`);
          expect(readTree()).toEqual(before);
        }
        expect(readText(root, file)).toBe(text);
        expect(listBroken()).toEqual([]);

        // Without the edit, the rest is undone.
        if (isAdded) fs.rmSync(at(dirname(file)), { recursive: true });
        else write(file, text.replace('// Mine.\n', ''));
        undoMake();
        expect(readTree()).toEqual(original);
      }),
      { numRuns: 40 },
    );
  });

  test('names the edited files and those that they need', () => {
    begin('new');
    make(sampleFields);
    const list = 'modules/Shop/Mcp/Tools/ListProductsTool.ts';
    write(list, `${readText(root, list)}// Mine.\n`);

    expect(planUndo(root, noteFile('Shop', 'product'))).toMatchObject({
      edited: [list],
      needed: [
        'modules/Shop/Admin/product/list.ts',
        'modules/Shop/module.ts',
        declaration,
        'modules/Shop/uninstall.ts',
      ],
    });
  });

  test('is refused while a later command has its lines in the same file, which is named', () => {
    begin('new');
    const before = readTree();
    make(sampleFields);
    make(sampleFields, fewParts, 'box');
    const both = readTree();

    expect(() => undoMake('product')).toThrow(
      '"resource:make Shop box" changed modules/Shop/module.ts later: nothing is changed. Undo that first: npm run service -- resource:make Shop box --undo',
    );
    expect(readTree()).toEqual(both);
    addTo('first');
    addTo('second');
    expect(() => undoField('first')).toThrow('"resource:field Shop product second" changed');
    undoMake('box');
    expect(() => undoMake('product')).toThrow('"resource:field Shop product second" changed');
    undoField('second');
    undoField('first');
    undoMake('product');

    expect(readTree()).toEqual(before);
  });

  test('is refused for a field in a file that was edited since', () => {
    begin('new');
    make(sampleFields);
    addTo('extra');
    write(declaration, `${readText(root, declaration)}// Mine.\n`);
    const before = readTree();

    expect(() => undoField('extra')).toThrow(`${declaration} was edited since: nothing is changed`);
    expect(readTree()).toEqual(before);
  });

  test('keeps the manifest of a new module that has a file of its own by now', () => {
    begin('new');
    make(sampleFields);
    write('modules/Shop/lang/en.json', '{}');
    undoMake();

    expect(Object.keys(readModules()).filter((file) => file.includes('.'))).toEqual([
      'modules/Shop/lang/en.json',
      'modules/Shop/module.ts',
      'modules/modules.json',
    ]);
    expect(readModuleStates(root).get('Shop')).toEqual({ installed: true, enabled: true });
  });

  test('leaves the state of a module that was disabled since, and puts back the one of before', () => {
    begin('empty');
    const disabled = { installed: true, enabled: false };
    const set = (state: typeof disabled) =>
      writeModuleStates(root, new Map([...readModuleStates(root), ['Shop', state]]));
    make(sampleFields);
    set(disabled);
    undoMake();
    expect(readModuleStates(root).get('Shop')).toEqual(disabled);
    make(sampleFields);
    expect(readModuleStates(root).get('Shop')).toEqual({ installed: true, enabled: true });
    undoMake();

    expect(readModuleStates(root).get('Shop')).toEqual(disabled);
  });
});

const writing = ['writeFileSync', 'renameSync', 'rmSync', 'rmdirSync', 'mkdirSync', 'mkdtempSync'] as const;

/** Runs work that is killed at a change of the disk: half of a text is written then, and nothing more. */
function isKilled(step: number, work: () => void): boolean {
  let left = step;
  const { writeFileSync } = fs;
  const originals = writing.map((name) => [name, fs[name]] as const);
  for (const [name, original] of originals) {
    Reflect.set(fs, name, (...args: unknown[]) => {
      if (left === 0 && name === 'writeFileSync')
        writeFileSync(String(args[0]), String(args[1]).slice(0, 20));
      if (left <= 0) {
        left = -1;
        throw new Error('killed');
      }
      left -= 1;
      return Reflect.apply(original, fs, args);
    });
  }
  try {
    work();
  } catch (error) {
    if (left >= 0) throw error;
  } finally {
    for (const [name, original] of originals) Reflect.set(fs, name, original);
  }
  return left < 0;
}

describe.each<Start>(['new', 'byHand'])('a command that is killed, on a module of the kind %s', (start) => {
  const steps: [string, () => void, () => void][] = [
    ['resource:make', () => {}, () => make(sampleFields, fewParts)],
    ['resource:field', () => make(sampleFields, fewParts), () => addTo('extra')],
    ['resource:make --undo', () => make(sampleFields, fewParts), () => undoMake()],
    [
      'resource:field --undo',
      () => {
        make(sampleFields, fewParts);
        addTo('extra');
      },
      () => undoField('extra'),
    ],
  ];

  test.each(steps)('leaves whole files, and is repeated or undone: %s', (_name, prepare, run) => {
    begin(start);
    const first = readTree();
    prepare();
    const whole = new Set(Object.values(readTree()));
    run();
    const end = readTree();
    for (const text of Object.values(end)) whole.add(text);

    for (let step = 0; ; step += 1) {
      for (const isRepeated of [true, false]) {
        begin(start);
        prepare();
        if (!isKilled(step, run)) {
          expect(step).toBeGreaterThan(3);
          return;
        }
        expect(listBroken()).toEqual([]);
        expect(Object.entries(readModules()).filter(([, text]) => !whole.has(text))).toEqual([]);
        if (isRepeated) {
          run();
          expect(readTree()).toEqual(end);
        } else {
          undoField('extra');
          undoMake();
          expect(readTree()).toEqual(first);
        }
      }
    }
  });
});
