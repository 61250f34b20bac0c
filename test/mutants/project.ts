import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type * as Typescript from 'typescript';

const ts: typeof Typescript = createRequire(import.meta.url)('typescript');

/** What Jest says of one test file. */
export interface TestResult {
  file: string;
  failed: boolean;
  ms: number;
  blocks: string[];
  reason?: string;
}

/** The files of a project that git tracks, and new ones. */
export const listFiles = (root: string): string[] =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file && existsSync(join(root, file)));

/** Whether it is a source whose mutants are tried. */
export const isProduct = (file: string): boolean =>
  /^(shared|modules|functions)\/.*\.ts$/.test(file) && !/\.(test|d)\.ts$/.test(file);

/** A short hash, for names. */
export const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** A hash of a test file and of all that it imports from the tests. */
export function hashTest(root: string, file: string): string {
  const texts = new Map<string, string>();
  const add = (path: string) => {
    if (texts.has(path) || !existsSync(join(root, path))) return;
    const text = readFileSync(join(root, path), 'utf8');
    texts.set(path, text);
    if (!/\.[jt]s$/.test(path)) return;
    for (const { fileName } of ts.preProcessFile(text).importedFiles) {
      const target = fileName.startsWith('.') ? join(dirname(path), fileName) : '';
      if (target.startsWith('test/')) add(target);
    }
  };
  add(file);
  return hash([...texts].sort().flat().join('\n'));
}

/** A copy of the project, to break. */
export class ProjectCopy {
  readonly folder: string;

  constructor(root: string, name: string) {
    this.folder = join(tmpdir(), `mutants-${hash(root)}-${name}`);
    this.remove();
    for (const file of listFiles(root)) cpSync(join(root, file), join(this.folder, file));
    symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'));
    const [reporter, testSequencer] = ['reporter.js', 'sequencer.cjs'].map((name) =>
      join(import.meta.dirname, name),
    );
    const own = { reporters: [reporter], testSequencer, watchman: false };
    const config = `import quick from './jest.quick.config.js';\nexport default { ...quick, ...${JSON.stringify(own)} };\n`;
    this.write('jest.mutants.config.js', config);
  }

  write(file: string, text: string): void {
    mkdirSync(dirname(join(this.folder, file)), { recursive: true });
    writeFileSync(join(this.folder, file), text);
  }

  /** The blocks that ran. */
  get log(): string {
    return join(this.folder, 'mutants.log');
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Runs test files in the given order, up to the first failure or to the end if it collects. */
  async test(files: readonly string[], limitMs: number, collect = false): Promise<TestResult[]> {
    const order = join(this.folder, 'mutants-order.json');
    const results = join(this.folder, 'mutants-results.jsonl');
    writeFileSync(order, JSON.stringify(files));
    writeFileSync(results, '');
    const env = {
      ...process.env,
      MUTANTS_ORDER: order,
      MUTANTS_RESULTS: results,
      MUTANTS_LOG: this.log,
      ...(collect && { MUTANTS_COLLECT: '1' }),
    };
    const jest = 'node_modules/jest/bin/jest.js --config jest.mutants.config.js -i --runTestsByPath'.split(
      ' ',
    );
    const child = spawn(process.execPath, [...jest, ...files], { cwd: this.folder, env, stdio: 'ignore' });
    const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
    await new Promise((resolve) => child.once('close', resolve));
    clearTimeout(timer);
    const lines = readFileSync(results, 'utf8').trim().split('\n').filter(Boolean);
    const [{ folder } = { folder: '' }, ...tested] = lines.map((line) => JSON.parse(line));
    if (folder) rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
    return tested;
  }
}
