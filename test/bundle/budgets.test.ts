import '../support/environment.ts';
import { expect, test } from '@jest/globals';
import { listMisplaced, readBudgets } from '../../cli/package/budgets/compare-budgets.ts';
import { projectRoot } from '../support/local-server.ts';
import { discoverShipped, listFunctionNames } from '../support/shipped-modules.ts';

const recorded = readBudgets(projectRoot);
const bundlesWith = (part: string) =>
  [...recorded].filter(([, { parts }]) => Object.hasOwn(parts, part)).map(([name]) => name);

test('only functions of tools are recorded with the SDKs of MCP and of OpenAI', () => {
  expect(listMisplaced(recorded)).toEqual([]);
  expect(bundlesWith('@modelcontextprotocol/server')).toEqual(['system-web-mcp-service']);
  expect(bundlesWith('openai')).toEqual(['system-admin-ai-mcp-chat', 'system-admin-ai-mcp-rpc']);
});

test('no function loads the AWS SDK or a storage SDK at its start', () => {
  const late = [
    '@aws-sdk/util-dynamodb',
    '@smithy/signature-v4',
    '@smithy/core',
    'openai',
    'ali-oss',
    'cos-nodejs-sdk-v5',
    'qiniu',
  ];
  const early = [...recorded].flatMap(([name, { parts }]) =>
    late.filter((part) => (parts[part]?.start ?? 0) > 0).map((part) => `${name}: ${part}`),
  );

  expect(bundlesWith('@smithy/core').length).toBeGreaterThan(50);
  expect(early).toEqual([]);
});

test('only functions of tools, of uploads, of rich text and of settings load over 150 KB at their start', async () => {
  const shipped = listFunctionNames(await discoverShipped());
  const heavy = shipped.filter((name) => (recorded.get(name)?.bytes.start ?? 0) > 150 * 1024).sort();

  expect(
    heavy.filter(
      (name) => !/-mcp-(?:service|chat|rpc|tools)$|-upload-(?:file|part-post|direct|complete)$/.test(name),
    ),
  ).toEqual([
    'article-admin-article-add',
    'article-admin-article-detail',
    'article-admin-article-edit',
    'article-admin-article-revisions',
    'article-admin-article-status',
    'article-api-article-detail',
    // It knows the settings of all engines.
    // It holds the settings and the permissions of all modules: `oidc.create` names a role.
    'system-admin-setting-config-save',
    'system-admin-setting-config-test',
  ]);
});
