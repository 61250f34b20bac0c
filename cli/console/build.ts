import { mkdtempSync, rmSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join, relative, sep } from 'node:path';
import { build, type Plugin } from 'vite';
import { explain } from '../command.ts';
import { root } from '../project.ts';
import { packSite } from './pack.ts';
import { writeApiClient } from './prepare.ts';
import { consoleFolder, hashSources, readRecord, writeRecord } from './sources.ts';

// Builds the console into `.build/console/`, if its sources have changed. The generator has to run before. A process of
// its own, so that a running server keeps its time and memory.

/** Notes the project's own sources in the build. */
const noteInputs = (inputs: Set<string>): Plugin => ({
  name: 'note-inputs',
  generateBundle() {
    for (const id of this.getModuleIds()) {
      const file = relative(root, id.split('?')[0] ?? '');
      const isOwn = !file.startsWith('..') && !file.startsWith(`node_modules${sep}`) && !id.startsWith('\0');
      if (isOwn && !file.startsWith(`.build${sep}`)) inputs.add(file);
    }
  },
});

async function buildConsole(): Promise<void> {
  const former = readRecord(root);
  const site = mkdtempSync(join(consoleFolder(root), 'site-'));
  try {
    // Before the build, so that a change during it leads to another one.
    const before = hashSources(root, former?.inputs ?? []);
    await writeApiClient();
    const inputs = new Set<string>();
    await build({
      configFile: join(root, 'console', 'vite.config.ts'),
      logLevel: 'silent',
      plugins: [noteInputs(inputs)],
      build: { outDir: site },
    });
    const packed = await packSite(root, site, former?.packed ?? []);
    const isStill = before === hashSources(root, former?.inputs ?? []);
    const list = [...inputs].sort();
    writeRecord(root, { hash: isStill ? hashSources(root, list) : '', inputs: list, packed });
  } finally {
    rmSync(site, { recursive: true, force: true });
  }
}

setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
try {
  await buildConsole();
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
