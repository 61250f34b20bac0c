import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createTempDir, projectRoot } from './local-server.ts';

const sources = ['cli', 'functions', 'modules', 'shared'];
const files = ['package.json', 'serverless.yml', 'esbuild.config.ts', 'tsconfig.json'];

/** A copy of the project that a test may change while its server runs. */
export interface ProjectCopy {
  root: string;
  write(file: string, text: string): void;
}

/** @param more what else of the project is copied */
export function copyProject(more: readonly string[] = []): ProjectCopy {
  const root = createTempDir();
  for (const source of [...sources, ...files, ...more]) {
    const filter = (file: string) => basename(file) !== 'node_modules';
    cpSync(join(projectRoot, source), join(root, source), { recursive: true, filter });
  }
  symlinkSync(join(projectRoot, 'node_modules'), join(root, 'node_modules'));
  return {
    root,
    write(file, text) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    },
  };
}
