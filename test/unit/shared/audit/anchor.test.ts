import '../../../support/environment.ts';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import { createFileAnchor, openAnchor } from '#shared/audit/anchor.ts';
import { environment } from '#shared/config/environment.ts';
import { serve } from '../../../doubles/serve.ts';
import { createTempDir } from '../../../support/local-server.ts';

describe('a local anchor', () => {
  test('is a file that only its owner reads, and that is replaced as a whole', async () => {
    const folder = createTempDir();
    const file = join(folder, 'end.json');
    const anchor = createFileAnchor(file);

    expect(await anchor.read()).toBeUndefined();
    await anchor.write('one');
    await anchor.write('two');

    expect(await anchor.read()).toBe('two');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['end.json']);
  });

  test('belongs to its table', async () => {
    const folder = createTempDir();
    const { tableName } = environment();
    const local = jest.replaceProperty(environment(), 'dynamodbEndpoint', 'http://localhost:8000');
    const data = jest.replaceProperty(environment(), 'dataDir', folder);

    await (await openAnchor()).write('x');
    await (await openAnchor('verified')).write('y');

    expect(readFileSync(join(folder, `audit-log-${tableName}-end.json`), 'utf8')).toBe('x');
    expect(readdirSync(folder)).toHaveLength(2);
    data.replaceValue(undefined);
    await expect(openAnchor()).rejects.toThrow('DATA_DIR');
    for (const replaced of [local, data]) replaced.restore();
  });
});

describe('a deployed anchor', () => {
  test('is a parameter of the table, which it reads and replaces', async () => {
    const calls: unknown[] = [];
    let stored: string | undefined;
    const store = await serve(({ headers, body }) => {
      const action = String(headers['x-amz-target']).split('.')[1];
      const { Name, Value, Overwrite } = JSON.parse(body);
      calls.push([action, Name, Overwrite]);
      if (action === 'PutParameter') stored = Value;
      return stored === undefined
        ? { status: 400, body: { __type: 'ParameterNotFound' } }
        : { body: { Parameter: { Value: stored } } };
    });
    Object.assign(process.env, {
      AWS_ENDPOINT_URL_SSM: store.url,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    });
    const anchor = await openAnchor();

    expect(await anchor.read()).toBeUndefined();
    await anchor.write('{"sequence":1}');
    expect(await anchor.read()).toBe('{"sequence":1}');

    const name = `/audit-log/${environment().tableName}/end`;
    expect(calls).toEqual([
      ['GetParameter', name, undefined],
      ['PutParameter', name, true],
      ['GetParameter', name, undefined],
    ]);
    await store.stop();
    // A store that is away does not mean that the log has no end.
    await expect(anchor.read()).rejects.toThrow();
  });
});
