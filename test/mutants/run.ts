import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createProgram } from '#cli/command.ts';
import { root as ownRoot } from '#cli/project.ts';
import { createRandom } from '#shared/module/demo.ts';
import { wholeNumber } from '../support/numbers.ts';
import { instrument, listMutants, type Mutant } from './make-mutants.ts';
import { hash, hashTest, isProduct, listFiles, ProjectCopy, type TestResult } from './project.ts';

const summary =
  'Breaks the product in random small ways, runs the quick tests that run the broken code, and lists what they miss.';
const values = createProgram('npm run mutants', summary)
  .option('--seed <N>', 'the same mutants of the same sources', wholeNumber(0), 1)
  .option('--count <N>', 'how many mutants', wholeNumber(1), 200)
  .option('--jobs <N>', 'how many run at the same time', wholeNumber(1), 2)
  .option(
    '--seconds <N>',
    'of the test files of a mutant, the quickest that take so long together',
    wholeNumber(1),
  )
  .option('--files <PATTERN>', 'breaks the files only that this regular expression matches')
  .option('--skip <PATTERN>', 'leaves out the test files that this regular expression matches')
  .option('--root <DIR>', 'the project to break, in a copy', ownRoot)
  .option(
    '--cache <DIR>',
    'folder for results, which a later run goes on with',
    join(ownRoot, 'coverage', 'mutants'),
  )
  .parse()
  .opts();
const root = resolve(values.root);

const files = listFiles(root);
const sources = new Map(
  files.filter(isProduct).map((file) => [file, readFileSync(join(root, file), 'utf8')] as const),
);
const cache = resolve(values.cache, hash([...sources].flat().join('\n')));
mkdirSync(cache, { recursive: true });

function keep<T>(name: string): { data: Record<string, T>; save(): void } {
  const file = join(cache, name);
  const data = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  return { data, save: () => writeFileSync(file, JSON.stringify(data)) };
}

/** What a test file runs, by its path and hash: unchanged test files are not asked again. */
const coverage = keep<TestResult>('coverage.json');
/** Whether a test file killed a mutant, by mutant, then by the path and hash of the test file. */
const outcomes = keep<Record<string, 'passed' | 'killed'>>('outcomes.json');
const keys = new Map<string, string>();
const keyOf = (file: string): string => {
  const key = keys.get(file) ?? `${file}@${hashTest(root, file)}`;
  keys.set(file, key);
  return key;
};

/** Test files of `npm test`. A file that fails or is missing here is never used. */
const slow = (await import(join(root, 'jest.quick.config.js'))).default.testPathIgnorePatterns.slice(1);
const isQuickTest = (file: string): boolean =>
  !(values.skip && new RegExp(values.skip).test(file)) &&
  /^(test\/.*|modules\/[^/]+\/[^/]+)\.test\.ts$/.test(file) &&
  !slow.some((pattern: string) => `<rootDir>/${file}`.startsWith(pattern));

const tests = files.filter(isQuickTest);

/** Runs the test files whose coverage is not known, in a copy that records it. */
async function collectCoverage(): Promise<void> {
  const unknown = tests.filter((file) => !coverage.data[keyOf(file)]);
  if (unknown.length === 0) return;
  console.log(`Collecting what ${unknown.length} test files run.`);
  const copy = new ProjectCopy(root, 'coverage');
  for (const [file, text] of sources) copy.write(file, instrument(file, text, copy.log));
  for (let i = 0; i < unknown.length; i += filesARun) {
    const results = await copy.test(unknown.slice(i, i + filesARun), 1_200_000, true);
    for (const result of results) coverage.data[keyOf(result.file)] = result;
    coverage.save();
  }
  copy.remove();
}
/** A run that is stopped loses what it has not saved. */
const filesARun = 60;

/**
 * Test files that run the block, the quickest first. Servers that test files share load a module once, so for code
 * outside of functions, all test files that run a function of its file count.
 */
const listTests = ({ file, block }: Mutant): TestResult[] =>
  Object.entries(coverage.data)
    .filter(([key, result]) => !result.failed && tests.includes(result.file) && keyOf(result.file) === key)
    .map(([, result]) => result)
    .filter(({ blocks }) =>
      blocks.some((each) => each === block || (block === `${file}#0` && each.startsWith(`${file}#`))),
    )
    .sort((a, b) => a.ms - b.ms)
    .filter(isInTime());

/** Whether a test file and those before it fit into the time of a mutant. */
function isInTime(): (result: TestResult) => boolean {
  let passedMs = 0;
  return ({ ms }) => {
    passedMs += ms;
    return passedMs <= (values.seconds ?? Number.POSITIVE_INFINITY) * 1000;
  };
}

/** @returns what kills the mutant; undefined if it survives */
async function tryMutant(copy: ProjectCopy, mutant: Mutant): Promise<string | undefined> {
  const known = outcomes.data[mutant.id] ?? {};
  outcomes.data[mutant.id] = known;
  const tests = listTests(mutant);
  const killer = tests.find(({ file }) => known[keyOf(file)] === 'killed');
  if (killer) return killer.file;
  const open = tests.filter(({ file }) => !known[keyOf(file)]);
  if (open.length === 0) return undefined;
  const source = sources.get(mutant.file) ?? '';
  copy.write(mutant.file, source.slice(0, mutant.start) + mutant.text + source.slice(mutant.end));
  const results = await copy.test(
    open.map(({ file }) => file),
    limitMs(open),
  );
  copy.write(mutant.file, source);
  for (const { file, failed } of results) known[keyOf(file)] = failed ? 'killed' : 'passed';
  // The run hangs in the next test file, or the build before the tests fails.
  const stopped = results.every(({ failed }) => !failed) ? open[results.length] : undefined;
  if (stopped) known[keyOf(stopped.file)] = 'killed';
  outcomes.save();
  return stopped?.file ?? results.find(({ failed }) => failed)?.file;
}

const limitMs = (tests: readonly TestResult[]): number =>
  60_000 + 5 * tests.reduce((sum, { ms }) => sum + ms, 0);

/** Kinds of changes take turns; a smaller count is the beginning of a larger one. */
function chooseMutants(): Mutant[] {
  const random = createRandom(values.seed);
  const chosenFiles = [...sources].filter(([file]) => new RegExp(values.files ?? '').test(file));
  const all = chosenFiles.flatMap(([file, text]) => listMutants(file, text));
  const kinds = [...Map.groupBy(all, ({ kind }) => kind).values()];
  const chosen: Mutant[] = [];
  while (chosen.length < Math.min(values.count, all.length)) {
    for (const kind of kinds) chosen.push(...kind.splice(Math.floor(random() * kind.length), 1));
  }
  return chosen.slice(0, values.count);
}

await collectCoverage();
const mutants = chooseMutants();
const survivors: string[] = [];
let next = 0;
await Promise.all(
  Array.from({ length: values.jobs }, async (_, job) => {
    const copy = new ProjectCopy(root, String(job));
    for (let mutant = mutants[next++]; mutant; mutant = mutants[next++]) {
      const killer = await tryMutant(copy, mutant);
      console.log(`${killer ? 'killed  ' : 'SURVIVED'} ${mutant.id}${killer ? ` (${killer})` : ''}`);
      if (!killer) survivors.push(mutant.id);
    }
    copy.remove();
  }),
);
const failed = Object.values(coverage.data).filter(({ failed, file }) => failed && tests.includes(file));
if (failed.length > 0) console.log(`\nNot used, as they fail: ${failed.map(({ file }) => file).join(', ')}`);
console.log(`\nSurvivors:\n${survivors.sort().join('\n')}`);
console.log(
  `\nSeed ${values.seed}: ${mutants.length - survivors.length} of ${mutants.length} mutants are killed.`,
);
