/** What `npm test` leaves to `npm run test:slow`. */
export const slow = [
  'browser/',
  'bundle/',
  // Every operation on both engines of the local database.
  'contract/database/',
  // Refusals of every change, uploads to every engine, example data, pasting while every core is busy, rights of every
  // caller, deployments of every stack, packaging by the framework, installations and restarts, many readers during
  // changes, memory in functions that start again and for large pictures, builds of the console, commands that make,
  // install and remove modules and resources, the help of every command, and killed commands.
  'e2e/api-client.test.ts',
  'e2e/audit-commands.test.ts',
  'e2e/audit-targets.test.ts',
  'e2e/backup.test.ts',
  'e2e/broken-sources.test.ts',
  'e2e/config-file.test.ts',
  'e2e/consistency.test.ts',
  'e2e/console-follow.test.ts',
  'e2e/demo.test.ts',
  'e2e/deploy.test.ts',
  'e2e/deploy-framework.test.ts',
  'e2e/deploy-pages.test.ts',
  'e2e/dict-commands.test.ts',
  'e2e/docs.test.ts',
  'e2e/error-make.test.ts',
  'e2e/escalation/',
  'e2e/help.test.ts',
  'e2e/invoke-local.test.ts',
  'e2e/lifecycle.test.ts',
  'e2e/module-',
  'e2e/modules.test.ts',
  'e2e/no-credentials.test.ts',
  'e2e/own-tools.test.ts',
  'e2e/permission-matrix.test.ts',
  'e2e/picture-memory.test.ts',
  'e2e/resource-',
  'e2e/restored-table.test.ts',
  'e2e/rights-consistency.test.ts',
  'e2e/stage-check.test.ts',
  'e2e/storage-commands.test.ts',
  'e2e/ticket.test.ts',
  'e2e/upload-clouds.test.ts',
  'e2e/upload-direct.test.ts',
  'e2e/upload-memory.test.ts',
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
