import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkBundles } from '#functions/bundle/check-bundles.ts';
import { bundleFolder, bundleReports } from '#functions/bundle/keep-chunks-apart.ts';
import { assertApiFits } from '#functions/checks/check-api.ts';
import { type DescribedService, readService } from '#functions/serverless.ts';
import { listApis, moveRoutes, readEdge } from '#functions/stacks/edge.ts';
import { hasLibraries, lockFile } from '#functions/stacks/function-map.ts';
import { findRole } from '#functions/stacks/roles.ts';
import { refer, selectStack } from '#functions/stacks/stack.ts';
import { listWriteRights } from '#functions/stacks/written-keys.ts';
import { explain } from '../command.ts';
import { buildConsole, needsConsole } from '../console/build-console.ts';
import { useEnvironment } from '../environment.ts';
import { root } from '../project.ts';
import { assertAccount, assertFits } from './account.ts';
import type { Framework, FrameworkOptions } from './framework.ts';
import { installLibraries } from './libraries.ts';
import { chooseEvent } from './local-event.ts';

/**
 * This project's additions to the framework: `offline` starts the local stores and loads changed sources,
 * `invoke local` uses the stores of a running server, and packaging sets the roles of functions.
 */
export default class BackendPlugin {
  readonly hooks: Record<string, () => unknown>;
  readonly #framework: Framework;
  readonly #described: DescribedService | undefined;

  constructor(framework: Framework, options: FrameworkOptions) {
    this.#framework = framework;
    this.#described = this.#stopOnError(readService);
    const offline = async () => {
      if (!this.#described) return;
      const { runLocal } = await import('../local/run-local.ts');
      await runLocal(framework, options, this.#described.manifest);
    };
    this.hooks = {
      initialize: () => this.#prepareStart(options),
      'before:invoke:local:invoke': () => this.#chooseEvent(options),
      'before:offline:start': offline,
      'before:offline:start:init': offline,
      'before:package:createDeploymentArtifacts': () => this.#prepare(),
      'after:package:createDeploymentArtifacts': () => this.#assignRoles(),
      'after:aws:package:finalize:mergeCustomProviderResources': () => this.#finishTemplate(),
      'before:deploy:function:packageFunction': () => this.#prepare(),
      'after:deploy:function:packageFunction': () => this.#assignRoles(),
    };
  }

  /** Prints the message of an error without the framework's stack trace, and ends the process. */
  #stopOnError<T>(step: () => T): T | undefined {
    try {
      return step();
    } catch (error) {
      if (this.#framework.processedInput.isHelpRequest) return undefined;
      console.error(explain(error));
      process.exit(1);
    }
  }

  /** Runs before the framework asks AWS for anything. */
  async #prepareStart(options: FrameworkOptions): Promise<void> {
    this.#useLocalStores();
    if (!this.#described) return;
    try {
      await assertAccount(this.#framework, options, this.#described.target.stage);
    } catch (error) {
      this.#stopOnError(() => {
        throw error;
      });
    }
  }

  #finishTemplate(): void {
    const { Resources = {} } = this.#framework.service.provider.compiledCloudFormationTemplate ?? {};
    if (!this.#described) return;
    const { target, manifest } = this.#described;
    this.#stopOnError(() => assertApiFits(manifest));
    this.#stopOnError(() => assertFits(target, Resources));
    if (!readEdge(process.env)) return;
    const base = refer(target, 'HttpApiId');
    this.#stopOnError(() => moveRoutes(Resources, target, { prefixes: listApis(manifest), base }));
  }

  #useLocalStores(): void {
    if (this.#framework.processedInput.commands.join(' ') !== 'invoke local') return;
    const { provider, functions } = this.#framework.service;
    this.#stopOnError(useEnvironment);
    provider.environment = {};
    for (const definition of Object.values(functions)) definition.environment = {};
  }

  /** Runs after `--data`, `--path` and standard input were read. */
  #chooseEvent(options: FrameworkOptions): void {
    const { function: name = '', data } = options;
    const invoked = this.#framework.service.functions[name];
    if (invoked) options.data = this.#stopOnError(() => chooseEvent(name, invoked, data));
  }

  /** Runs before the bundles are built. */
  async #prepare(): Promise<void> {
    clean();
    useOwnTempFolder();
    if (!this.#described) return;
    const { target, manifest } = this.#described;
    const { provider, functions } = this.#framework.service;
    if (Object.values(functions).some(hasLibraries)) {
      this.#stopOnError(() => installLibraries(root, provider.architecture ?? 'x86_64'));
    }
    if (!needsConsole(selectStack(manifest, target.stack))) return;
    try {
      await buildConsole();
    } catch (error) {
      console.error(explain(error));
      process.exit(1);
    }
  }

  async #assignRoles(): Promise<void> {
    if (!this.#described) return;
    const { target, manifest } = this.#described;
    this.#stopOnError(() => checkBundles(root, target.stack, manifest.modules, bundleReports));
    const { functions, resources } = this.#framework.service;
    for (const [name, { packages, sources }] of bundleReports) {
      const definition = functions[name];
      if (!definition) continue;
      const rights = await listWriteRights(root, sources, (file) => import(pathToFileURL(file).href));
      const job = manifest.jobs.find(({ functionName }) => functionName === name)?.job;
      const role = findRole({ ...definition, auditsLog: job?.auditsLog }, target, { packages, rights });
      definition.role = role.reference;
      resources.Resources = { ...resources.Resources, ...role.resources };
    }
  }
}

/** Removes the chunks of earlier builds, and creates the install lock. */
function clean(): void {
  rmSync(join(root, bundleFolder()), { recursive: true, force: true });
  const lock = join(root, lockFile);
  mkdirSync(dirname(lock), { recursive: true });
  writeFileSync(lock, '');
}

/** The bundler's plugin leaves its copies of every bundle in the folder for temporary files: this one goes with the process. */
function useOwnTempFolder(): void {
  const folder = mkdtempSync(join(tmpdir(), 'package-'));
  process.env.TMPDIR = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}
