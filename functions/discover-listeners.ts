import { join } from 'node:path';
import type { StreamListener } from '#shared/module/module.ts';
import { checkListener } from './checks.ts';
import type { FoundListener, FoundModule } from './model.ts';
import { importDefault, listFiles, type Scope } from './scope.ts';

/** Folder of a module whose files are listeners on the table's stream. */
const folder = 'Stream';

/** The listeners of a module; what is wrong with them goes to the scope's problems. */
export async function readListeners(
  scope: Scope,
  { manifest, prefix }: FoundModule,
): Promise<FoundListener[]> {
  const { root, problems } = scope;
  const listeners: FoundListener[] = [];
  for (const relative of listFiles(join(root, 'modules', manifest.name), folder)) {
    const file = `modules/${manifest.name}/${relative}`;
    const functionName = `${prefix}-stream-${relative.slice(folder.length + 1, -'.ts'.length)}`;
    const listener = await importDefault<StreamListener>(scope, file);
    if (!listener) continue;
    problems.push(...checkListener(listener, functionName).map((fault) => `${file}: ${fault}`));
    listeners.push({ listener, module: manifest.name, file, functionName });
  }
  return listeners;
}
