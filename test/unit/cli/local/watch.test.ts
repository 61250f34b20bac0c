import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { watchSources } from '#cli/local/watch.ts';
import { createTempDir } from '../../../support/local-server.ts';

let root: string;
let end: () => void;
/** Settles at the next reported change. */
let change: PromiseWithResolvers<void>;
let changes: number;
/** What was reported, in order. */
let events: string[];

function write(file: string, text = 'text'): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

/** Makes a change and waits for its report. */
async function reported(step: () => void): Promise<void> {
  change = Promise.withResolvers();
  step();
  await change.promise;
}

beforeEach(() => {
  root = createTempDir();
  write('modules/modules.json');
  write('modules/Shop/Api/order/list.ts');
  changes = 0;
  events = [];
  change = Promise.withResolvers();
  end = watchSources(root, ['modules'], async (settling) => {
    events.push('begins');
    const isChanged = await settling;
    events.push('settles');
    if (!isChanged) return;
    changes += 1;
    change.resolve();
  });
});
afterEach(() => end());

function replace(file: string, text: string): void {
  write('elsewhere', text);
  renameSync(join(root, 'elsewhere'), join(root, file));
}

describe('watchSources', () => {
  test('reports a written file, and its removal', async () => {
    await reported(() => write('modules/Shop/Api/order/list.ts', 'other'));
    await reported(() => write('modules/Shop/new.ts'));
    await reported(() => rmSync(join(root, 'modules/Shop/new.ts')));
  });

  test('reports each replacement of a file by a rename', async () => {
    for (const text of ['one', 'two', 'three']) await reported(() => replace('modules/modules.json', text));
  });

  test('reports a folder that is moved in, and changes inside', async () => {
    write('elsewhere/Cart/Api/item/list.ts');

    await reported(() => renameSync(join(root, 'elsewhere/Cart'), join(root, 'modules/Cart')));
    await reported(() => write('modules/Cart/Api/item/list.ts', 'other'));
  });

  test('reports a folder that is moved out, and watches a new one of the same name', async () => {
    await reported(() => renameSync(join(root, 'modules/Shop'), join(root, 'gone')));
    await reported(() => write('modules/Shop/Api/order/list.ts'));
    await reported(() => write('modules/Shop/Api/order/list.ts', 'other'));
  });

  test('watches a folder that is removed and created again at once', async () => {
    await reported(() => {
      rmSync(join(root, 'modules/Shop'), { recursive: true });
      write('modules/Shop/Api/order/list.ts');
    });
    await reported(() => write('modules/Shop/Api/order/list.ts', 'other'));
  });

  test('reports a burst once', async () => {
    await reported(() => {
      write('modules/Shop/a.ts');
      write('modules/Shop/b.ts');
      write('modules/Shop/lang/en.json');
    });

    expect(changes).toBe(1);
  });

  test('reports the first change at once, and the group of changes later', async () => {
    await reported(() => write('modules/Shop/a.ts'));

    expect(events.slice(0, 2)).toEqual(['begins', 'settles']);
  });
});
