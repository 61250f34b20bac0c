import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { packagesFolder } from '#cli/deploy/package.ts';
import { readList, writeList } from '#cli/deploy/prebuilt.ts';
import { createTempDir } from '../../../support/local-server.ts';

const packages = ['core', 'system'].map((stack) => ({
  ...{ stack, service: `backend-${stack}`, region: 'us-east-1', folder: join(packagesFolder, stack) },
  hash: 'ab'.repeat(32),
  schema: 2,
}));

let root: string;
let digest: string;
const place = (file: string) => join(root, packagesFolder, file);

beforeEach(() => {
  root = createTempDir();
  for (const { stack } of packages) {
    mkdirSync(place(stack), { recursive: true });
    writeFileSync(place(`${stack}/code.zip`), `code of ${stack}`);
  }
  digest = writeList(root, 'prod', packages);
});

it('packages are read as they were listed', () => {
  expect(readList(root, 'prod', digest)).toEqual(packages);
});

describe('packages are refused', () => {
  it.each<[string, () => void, string]>([
    ['with a changed file', () => appendFileSync(place('system/code.zip'), '!'), 'system/code.zip'],
    ['with a further file', () => writeFileSync(place('core/more.zip'), ''), 'core/more.zip'],
    ['without a file', () => rmSync(place('core/code.zip')), 'core/code.zip'],
  ])('%s', (_name, change, named) => {
    change();

    expect(() => readList(root, 'prod', digest)).toThrow(`not as they were built: ${named}`);
  });

  it('if their list was changed too', () => {
    appendFileSync(place('system/code.zip'), '!');
    const other = writeList(root, 'prod', packages);

    expect(other).not.toBe(digest);
    expect(() => readList(root, 'prod', digest)).toThrow('another hash');
  });

  it('if the folder holds no list', () => {
    rmSync(place('packages.json'));

    expect(() => readList(root, 'prod', digest)).toThrow('There are no packages in .build/deploy');
  });

  it('for another stage', () => {
    expect(() => readList(root, 'dev', digest)).toThrow('for the stage prod, not for dev');
  });
});
