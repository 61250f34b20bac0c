import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { wholeStack } from '#functions/stacks/stack.ts';
import { currentVersion } from '../migrate.ts';

/** Tag of a stack: the hash of its deployed content. */
export const hashTag = 'backend:hash';

/**
 * A stack as it would be deployed now. `service` is its name in CloudFormation without the stage: `backend-core`;
 * `schema` is the version of the table's data that its code knows.
 */
export type StackPackage = ReturnType<typeof packageStack>;

/** The used parts of the framework's state file, which `deploy --package` reads. */
interface PackageState {
  service: { service: string; provider: { region: string; stackTags?: Record<string, string> } };
  package: { artifactDirectoryName: string };
}

/** Folder of the packages, from the project's root. */
export const packagesFolder = join('.build', 'deploy');

const stateFile = 'serverless-state.json';
export const templateFile = 'cloudformation-template-update-stack.json';

/**
 * Packages a stack with the framework into a folder of the project.
 *
 * @param variables of the deployment, beside those of this process
 * @throws Error with the framework's output
 */
export function runPackage(
  root: string,
  stack: string,
  stage: string,
  folder: string,
  variables: NodeJS.ProcessEnv = {},
): void {
  const env = { ...process.env, ...variables, MODULE: stack === wholeStack ? '' : stack };
  const args = ['package', '--stage', stage, '--package', folder];
  const options = { cwd: root, env, encoding: 'utf8' } as const;
  const { status, stdout, stderr, error } = spawnSync('serverless', args, options);
  if (status !== 0) throw new Error(`${stack} cannot be packaged:\n${error?.message ?? stdout + stderr}`);
}

/**
 * Packages a stack as {@link runPackage}, and writes its hash into the package as a tag of the stack:
 * `deploy --package` reads tags from the package, not from `serverless.yml`.
 */
export function packageStack(root: string, stack: string, stage: string) {
  const folder = join(packagesFolder, stack);
  rmSync(join(root, folder), { recursive: true, force: true });
  runPackage(root, stack, stage, folder);
  const hash = hashPackage(join(root, folder));
  const state = readState(join(root, folder));
  const { service, provider } = state.service;
  provider.stackTags = { ...provider.stackTags, [hashTag]: hash };
  writeFileSync(join(root, folder, stateFile), JSON.stringify(state));
  return { stack, service, region: provider.region, folder, hash, schema: currentVersion };
}

/** Hashes the template and the files in the zips of a package, without times, compression and the order of chunks. */
export function hashPackage(folder: string): string {
  const { artifactDirectoryName } = readState(folder).package;
  // The name of the upload folder holds the time.
  const template = readFileSync(join(folder, templateFile), 'utf8').replaceAll(artifactDirectoryName, '');
  const lines = [digest('template', JSON.stringify(JSON.parse(template, sortKeys)))];
  for (const zip of readdirSync(folder).filter((name) => name.endsWith('.zip'))) {
    const files = Object.entries(unzipSync(readFileSync(join(folder, zip))));
    lines.push(...files.map(([name, content]) => hashFile(zip, name, content)));
  }
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex');
}

/** The import of one chunk by another, as esbuild writes it. Two runs of esbuild may put them in another order. */
const chunkImport = /import(?:[^"';]*from)?"\.\/[^"]+";/g;
/** The hash in a chunk's name, which depends on that order. */
const chunkHash = /-[A-Z0-9]{8}(?=\.mjs)/g;

/** A file with what differs between two builds of the same sources taken out. */
function hashFile(zip: string, name: string, content: Uint8Array): string {
  if (!name.endsWith('.mjs')) return digest(`${zip}/${name}`, content);
  const text = Buffer.from(content).toString().replaceAll(chunkHash, '');
  const imports = text.match(chunkImport) ?? [];
  const sorted = [...imports.toSorted(), text.replaceAll(chunkImport, '')].join('\n');
  return digest(`${zip}/${name.replaceAll(chunkHash, '')}`, sorted);
}

const digest = (name: string, content: string | Uint8Array): string =>
  `${createHash('sha256').update(content).digest('hex')} ${name}`;

const sortKeys = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

const readState = (folder: string): PackageState => JSON.parse(readFileSync(join(folder, stateFile), 'utf8'));
