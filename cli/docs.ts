import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from '#functions/generate.ts';
import { writePages } from '#functions/write-tables.ts';
import { createProgram, runProgram } from './command.ts';
import { loadEnvFile } from './environment.ts';
import { root } from './project.ts';
import {
  type ApiDocument,
  assetNames,
  readAsset,
  readDocuments,
  renderDocuments,
} from './reference/serve.ts';

const folder = join(root, '.build', 'docs');

/** Lets readers of the page enter the URL of the API. */
function askForServer(document: ApiDocument): ApiDocument {
  const [server] = Array.isArray(document.servers) ? document.servers : [];
  const base_url = { default: process.env.PUBLIC_URL?.replace(/\/+$/, '') || 'http://localhost:3000' };
  return { ...document, servers: [{ ...server, url: '{base_url}', variables: { base_url } }] };
}

async function build(): Promise<void> {
  loadEnvFile();
  writePages(root, await generate(root));
  const documents = Object.fromEntries(
    Object.entries(readDocuments(root)).map(([locale, document]) => [locale, askForServer(document)]),
  );
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of assetNames) writeFileSync(join(folder, name), readAsset(name) ?? '');
  writeFileSync(join(folder, 'documents.js'), renderDocuments(documents));
  for (const [locale, document] of Object.entries(documents)) {
    const name = locale === 'zh_CN' ? 'openapi.json' : `openapi.${locale}.json`;
    writeFileSync(join(folder, name), `${JSON.stringify(document, null, 2)}\n`);
  }
  console.log(`Written: ${join(folder, 'index.html')}, docs/errors.md, docs/api.md, permissions.txt`);
}

const summary =
  'Writes the API reference as static files into .build/docs/, the tables of docs/errors.md and docs/api.md, and permissions.txt.';
process.exitCode = await runProgram(createProgram('npm run docs', summary).action(build));
