import { hash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { consoleFolder, replaceFile } from './sources.ts';

const compress = promisify(brotliCompress);

/** A function may answer 6 MB, in base64 (AWS Lambda, "Quotas"). */
const fileLimitBytes = 4_000_000;

/**
 * Turns the built files into modules that the console's function imports: `site.mjs`, which names them, and a module in
 * `packed/` with the compressed content of each.
 *
 * @param site folder of the built files
 * @param former names of modules that a running server may still load
 * @returns names of the modules in `packed/`
 */
export async function packSite(root: string, site: string, former: readonly string[]): Promise<string[]> {
  const folder = join(consoleFolder(root), 'packed');
  mkdirSync(folder, { recursive: true });
  const files = globSync('**/*', { cwd: site, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(site.length + 1))
    .sort();
  const names = await Promise.all(files.map((file) => packFile(join(site, file), folder)));
  const lines = files.map((file, index) => {
    const path = JSON.stringify(file.split(sep).join('/'));
    return `  ${path}: () => import(${JSON.stringify(`./packed/${names[index]}`)}),\n`;
  });
  replaceFile(join(consoleFolder(root), 'site.mjs'), `export default {\n${lines.join('')}};\n`);
  const kept = new Set([...names, ...former]);
  for (const name of readdirSync(folder)) if (!kept.has(name)) rmSync(join(folder, name), { force: true });
  return names;
}

/** Writes the module of a file, if an earlier build has not. @throws Error for a file that cannot be served */
async function packFile(file: string, folder: string): Promise<string> {
  const content = readFileSync(file);
  if (content.length > fileLimitBytes) {
    const size = `${content.length} bytes of at most ${fileLimitBytes}`;
    throw new Error(`${basename(file)} has ${size}: load a part of it by a dynamic import`);
  }
  const name = `${hash('sha256', content, 'hex').slice(0, 20)}.mjs`;
  if (!existsSync(join(folder, name))) {
    const compressed = await compress(content);
    replaceFile(join(folder, name), `export default '${compressed.toString('base64')}';\n`);
  }
  return name;
}
