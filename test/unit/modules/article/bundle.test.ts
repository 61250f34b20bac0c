import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { bundleOptions } from '../../../../esbuild.config.ts';

const root = resolve(__dirname, '../../../..');
const folders = ['modules/Article/Admin/article', 'modules/Article/Api/article'];
const routes = folders.flatMap((folder) =>
  readdirSync(join(root, folder)).map((file) => `${folder}/${file}`),
);
const withoutContent = ['Admin/article/list.ts', 'Admin/article/delete.ts', 'Api/article/list.ts'];

async function listInputs(route: string): Promise<string[]> {
  const { metafile } = await build({
    ...bundleOptions,
    absWorkingDir: root,
    entryPoints: [route],
    outdir: join(root, '.build', 'unwritten'),
    write: false,
  });
  return Object.keys(metafile.inputs);
}

describe('the bundle of', () => {
  test.each(routes)('%s holds an HTML parser only if it handles contents', async (route) => {
    const inputs = await listInputs(route);

    const hasParser = inputs.some((input) => input.includes('node_modules/parse5/'));
    expect(inputs).toContain(route);
    expect(hasParser).toBe(!withoutContent.some((each) => route.endsWith(each)));
  });
});
