// Logs in, reads the dictionary and uploads a picture by a client that was generated from the API's document:
//   npx oazapfts http://localhost:3000/openapi.json client.ts --futureStripLegacyMethods
//   node typed-client.ts http://localhost:3000 admin PASSWORD photo.png
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { ok } from '@oazapfts/runtime';
import { defaults, systemAdminConfigDict, systemAdminLoginAccount, systemAdminUploadFile } from './client.ts';

const [baseUrl = '', account = '', password = '', picture = ''] = process.argv.slice(2);

defaults.baseUrl = baseUrl;
const login = await systemAdminLoginAccount({ account, password });
if (login.status !== 200) throw new Error(`${login.data.code}: ${login.data.message}`);
if (!('token' in login.data.data)) throw new Error('this administrator has a second factor');
defaults.headers = { authorization: `Bearer ${login.data.data.token}` };

const { data: options } = await ok(systemAdminConfigDict(['source_channel', 'bank_kind']));
console.log(JSON.stringify(options));

const file = new File([await readFile(picture)], basename(picture));
const { data: record } = await ok(systemAdminUploadFile({ type: 'image', file }));
console.log(record.url);
