import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import * as z from 'zod/mini';
import { root as projectRoot } from '#cli/project.ts';
import type { Supply } from '#functions/bundle/entry.ts';
import { findThrottles } from '#functions/checks/check-route.ts';
import { platform } from '#functions/discover/discover-owners.ts';
import type { FoundModule, FoundRoute } from '#functions/model.ts';
import systemThrottles from '#modules/System/throttles.ts';
import { type Area, admin, api, type Method, type Route, web } from '#shared/http/route.ts';
import { toRoutePrefix } from '#shared/module/module.ts';

// Below the project's folder, so that `#shared/…` resolves as in a real module.
const home = resolve(__dirname, '../../../.build/test-discover');

/** A project's folder with these files, to be removed after the test. */
export function createProject(files: Record<string, string>): { root: string; remove(): void } {
  const root = join(home, randomUUID());
  writeProject(root, files);
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}

export function writeProject(root: string, files: Record<string, string>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
}

/** Copies the platform without modules to a folder, for discovery in a process of its own. */
export function copyPlatform(root: string): void {
  for (const source of ['shared', 'functions', 'package.json']) {
    cpSync(join(projectRoot, source), join(root, source), { recursive: true });
  }
  symlinkSync(join(projectRoot, 'node_modules'), join(root, 'node_modules'));
}

/** Runs a program in a project. @returns what it prints */
export const runProgram = (root: string, program: string): string =>
  execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    ...{ cwd: root, encoding: 'utf8' },
  }).trim();

/** Source of a `module.ts`. */
export function moduleSource(name: string, rest = ''): string {
  return `
    import { defineModule } from '#shared/module/module.ts';
    export default defineModule({ name: '${name}', title: { zh_CN: '甲', en: 'A' }, version: '1.0.0', ${rest} });
  `;
}

/** Source of a valid route file for a builder such as `admin.get`. */
export function routeSource(builder: string, rest = ''): string {
  const body = /post$/i.test(builder) ? 'body: z.strictObject({}),' : '';
  return `
    import * as z from 'zod/mini';
    import { admin, api, web } from '#shared/http/route.ts';
import { toRoutePrefix } from '#shared/module/module.ts';
    const builders = { admin, api, web };
    export default builders.${builder}({
      summary: { zh_CN: '甲', en: 'A' }, data: z.null(), ${body} ${rest}
      handler: async () => null,
    });
  `;
}

/** An open route as the builders make it, except for `rest`. */
export function createRoute(area: Area, method: Method, rest: Partial<Route> = {}): Route {
  const options = { summary: { zh_CN: '甲', en: 'A' }, data: z.null(), handler: async () => null };
  const builders = {
    admin: { get: admin.openGet, post: admin.openPost },
    api: { get: api.openGet, post: api.openPost },
    web,
  }[area];
  const built =
    method === 'GET' ? builders.get(options) : builders.post({ ...options, body: z.strictObject({}) });
  return { ...built, ...rest };
}

/** A module as discovery finds it, without declarations unless the test gives some. */
export function foundModule(name: string, rest: Partial<FoundModule> = {}): FoundModule {
  const home = `modules/${name}`;
  return {
    manifest: { name, title: { zh_CN: '甲', en: 'A' }, version: '1.0.0' },
    home,
    prefix: toRoutePrefix(name),
    errors: {},
    throttles: {},
    messages: { zh_CN: {}, en: {} },
    files: { errors: `${home}/errors.ts`, throttles: `${home}/throttles.ts`, lang: `${home}/lang` },
    ...rest,
  };
}

/** The throttles of a route, from the platform or System. */
export const throttlesOf = (route: Route) =>
  findThrottles(route, [platform, foundModule('System', { throttles: systemThrottles })]);

/** A route as discovery finds it. */
export function foundRoute(rest: Partial<FoundRoute> = {}): FoundRoute {
  const { route = createRoute('admin', 'GET') } = rest;
  return {
    route,
    throttles: throttlesOf(route),
    module: 'System',
    file: 'modules/System/Admin/a.ts',
    path: '/adminapi/system/a',
    functionName: 'system-admin-a',
    ...rest,
  };
}

/** The supply of entries, with modules of these names. */
export function createSupply(...names: string[]): Supply {
  return { modules: names.map((name) => foundModule(name)), routes: [], tools: [], adapters: [] };
}
