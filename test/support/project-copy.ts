import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { writeModuleStates } from '#functions/discover/module-states.ts';
import { projectRoot } from './local-server.ts';
import { isModuleOfOthers, readShippedStates } from './shipped-modules.ts';

const sources = ['cli', 'functions', 'modules', 'shared'];
const files = ['package.json', 'serverless.yml', 'esbuild.config.ts', 'tsconfig.json'];

/** A copy of the project that a test may change while its server runs. */
export interface ProjectCopy {
  root: string;
  write(file: string, text: string): void;
  /** Enables exactly these modules. */
  enable(...modules: string[]): void;
}

/** Leaves out modules of others, and packages except the libraries of `native/`, which are packaged. */
const filter = (file: string): boolean =>
  (basename(file) !== 'node_modules' || file === join(projectRoot, 'native/node_modules')) &&
  !isModuleOfOthers(file);

/** Copies of this test file. */
let made = 0;

/**
 * Copies the project with its shipped modules. The copies of a test file are in the folders of those of the file
 * before it, so that Node finds what it has compiled there.
 *
 * @param more what else of the project is copied
 */
export function copyProject(more: readonly string[] = []): ProjectCopy {
  const root = join(tmpdir(), `project-${process.env.JEST_WORKER_ID}-${made}`);
  made += 1;
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root);
  for (const source of [...sources, ...files, ...more]) {
    cpSync(join(projectRoot, source), join(root, source), { recursive: true, filter });
  }
  writeModuleStates(root, readShippedStates());
  symlinkSync(join(projectRoot, 'node_modules'), join(root, 'node_modules'));
  return {
    root,
    write(file, text) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    },
    enable: (...modules) =>
      writeModuleStates(root, new Map(modules.map((name) => [name, { installed: true, enabled: true }]))),
  };
}
