import { readdirSync } from 'node:fs';

/** Suites of `e2e/` that need no server of their own, and a few seconds. */
const quickRequests = [
  'admin-commands',
  'administrators',
  'article-input',
  'articles',
  'audit-entries',
  'audit-floods',
  'audit-routes',
  'console',
  'dictionary',
  'files',
  'forged-cache',
  'oauth-endpoints',
  'passkeys',
  'recent-factor',
  'roles',
  'sessions',
  'settings-rights',
  'sso-throttle',
  'stream',
  'user-center',
  'views',
  'weak-passwords',
].map((name) => `${name}.test.ts`);

const slowRequests = readdirSync(new URL('e2e', import.meta.url), { withFileTypes: true })
  .filter(
    (each) => each.isDirectory() || (each.name.endsWith('.test.ts') && !quickRequests.includes(each.name)),
  )
  .map((each) => `e2e/${each.name}${each.isDirectory() ? '/' : ''}`);

/** What `npm test` leaves to `npm run test:slow`. */
export const slow = [
  'browser/',
  'bundle/',
  // Every operation on both engines of the local database.
  'contract/database/',
  ...slowRequests,
  'fault/',
  'growth/',
  'hostile/',
  'mcp/',
  // Programs of others: generators of clients, and a linter.
  'openapi/',
  'round-trips/',
  // What the requests of whole scenarios ask of the table.
  'unit/bench/accounting/',
  'unit/bench/scale/goals.test.ts',
  // Ten thousand random steps, and as many random stages.
  'unit/modules/system/admins/one-life.test.ts',
  // Damaged declarations of every kind, engines that fail at every request, bundles of many routes, both local databases
  // started again, and the module of the documentation as its readers make it.
  'unit/cli/local/dynamodb-engine.test.ts',
  'unit/cli/resource-undo.test.ts',
  'unit/docs/ticket.test.ts',
  'unit/functions/discover/odd-declarations.test.ts',
  'unit/modules/article/bundle.test.ts',
  'unit/modules/system/files/engine-failures.test.ts',
  // Deployments that go back, and interruptions at every request.
  'unit/cli/deploy/back.test.ts',
  'unit/cli/deploy/interruptions.test.ts',
  'unit/cli/stages/hundred-previews.test.ts',
  'unit/cli/config-file/apply.test.ts',
  'unit/cli/config-file/random-stages.test.ts',
  // Sequences of logins, and every tool for every caller.
  'unit/shared/http/login-throttle.test.ts',
  'unit/modules/system/assistant/tool-rights.test.ts',
];

/**
 * What `npm run test:slow` leaves to `npm run test:all`, which `.github/workflows/nightly.yml` runs: each of these takes
 * minutes on an idle machine.
 */
export const nightly = [
  'browser/console/states.test.ts',
  'e2e/deploy-framework.test.ts',
  'e2e/lifecycle.test.ts',
  'growth/',
  'unit/cli/deploy/interruptions.test.ts',
  'unit/cli/stages/hundred-previews.test.ts',
  'unit/cli/config-file/random-stages.test.ts',
  'unit/modules/system/admins/one-life.test.ts',
  'unit/modules/system/assistant/tool-rights.test.ts',
];
