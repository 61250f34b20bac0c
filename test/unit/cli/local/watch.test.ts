import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { watchSources } from '#cli/local/watch.ts';
import { createTempDir } from '../../../support/local-server.ts';

let root: string;
let end: () => void;
/** Settles at the next change that is told. */
let change: PromiseWithResolvers<void>;
let changes: number;
/** Events since the start, and how many of them there were each time that all was quiet again. */
let touches: number;
let settled: number[];

function write(file: string, text = 'text'): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

/** Does something and waits until it is told. */
async function told(step: () => void): Promise<void> {
  change = Promise.withResolvers();
  step();
  await change.promise;
}

beforeEach(() => {
  root = createTempDir();
  write('modules/modules.json');
  write('modules/Shop/Api/order/list.ts');
  changes = 0;
  touches = 0;
  settled = [];
  change = Promise.withResolvers();
  end = watchSources(root, ['modules'], {
    onTouch() {
      touches += 1;
    },
    onSettled(isChanged) {
      settled.push(touches);
      if (!isChanged) return;
      changes += 1;
      change.resolve();
    },
  });
});
afterEach(() => end());

function replace(file: string, text: string): void {
  write('elsewhere', text);
  renameSync(join(root, 'elsewhere'), join(root, file));
}

describe('watchSources', () => {
  test('tells of a file that is written, and of its removal', async () => {
    await told(() => write('modules/Shop/Api/order/list.ts', 'other'));
    await told(() => write('modules/Shop/new.ts'));
    await told(() => rmSync(join(root, 'modules/Shop/new.ts')));
  });

  test('tells each time that a file is replaced by a rename', async () => {
    for (const text of ['one', 'two', 'three']) await told(() => replace('modules/modules.json', text));
  });

  test('tells of a folder that is moved in, and of what changes deep in it', async () => {
    write('elsewhere/Cart/Api/item/list.ts');

    await told(() => renameSync(join(root, 'elsewhere/Cart'), join(root, 'modules/Cart')));
    await told(() => write('modules/Cart/Api/item/list.ts', 'other'));
  });

  test('tells of a folder that is moved out, and goes on with another of its name', async () => {
    await told(() => renameSync(join(root, 'modules/Shop'), join(root, 'gone')));
    await told(() => write('modules/Shop/Api/order/list.ts'));
    await told(() => write('modules/Shop/Api/order/list.ts', 'other'));
  });

  test('goes on with a folder that is removed and made again at once', async () => {
    await told(() => {
      rmSync(join(root, 'modules/Shop'), { recursive: true });
      write('modules/Shop/Api/order/list.ts');
    });
    await told(() => write('modules/Shop/Api/order/list.ts', 'other'));
  });

  test('tells a burst once', async () => {
    await told(() => {
      write('modules/Shop/a.ts');
      write('modules/Shop/b.ts');
      write('modules/Shop/lang/en.json');
    });

    expect(changes).toBe(1);
  });

  test('tells at once that something changes, and again once it is quiet', async () => {
    await told(() => write('modules/Shop/a.ts'));

    expect(touches).toBeGreaterThan(0);
    expect(settled.at(-1)).toBe(touches);
  });
});
