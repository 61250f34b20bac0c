import '../../support/environment.ts';
import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type * as z from 'zod/mini';
import type { Manifest } from '#functions/model.ts';
import { describeFields } from '#shared/audit/fields.ts';
import { createSaveSchema } from '#shared/settings/save.ts';
import { discoverShipped } from '../../support/shipped-modules.ts';

/** A text in a field of some input. */
interface Leaf {
  /** `password`, `items.name` */
  path: string;
  text: string;
}

/** Independent of the marks: fields whose names say that they are secret. */
const secretName =
  /pass|secret|token|ticket|api_?key|captcha|confirm|payload|code$|content|message|arguments/i;
const runs = 60;

let manifest: Manifest;
/** By name: `POST /adminapi/…`, `settings group`, `tool name`. */
let schemas: [string, z.core.$ZodType][];

beforeAll(async () => {
  manifest = await discoverShipped();
  const groups = manifest.modules.flatMap((found) => found.manifest.configs ?? []);
  schemas = [
    ...manifest.routes.flatMap(({ path, route }): [string, z.core.$ZodType][] =>
      route.area === 'admin' && route.body ? [[path, route.body]] : [],
    ),
    ...groups.map((group): [string, z.core.$ZodType] => [
      `settings ${group.name}`,
      createSaveSchema(group, {}),
    ]),
    ...manifest.tools.map(({ tool }): [string, z.core.$ZodType] => [`tool ${tool.name}`, tool.inputSchema]),
  ];
});

/** Input with a secret text in every field that may hold a text, of any kind. */
function fill(schema: z.core.$ZodType, path: string, leaves: Leaf[]): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(def.shape).map(([name, each]) => [
          name,
          fill(each, path ? `${path}.${name}` : name, leaves),
        ]),
      );
    case 'array':
      return [fill(def.element, path, leaves), fill(def.element, path, leaves)];
    case 'optional':
    case 'nullable':
    case 'default':
      return fill(def.innerType, path, leaves);
    case 'pipe':
      return fill(def.in, path, leaves);
    case 'boolean':
      return true;
    case 'number':
      return 7;
    default: {
      // Enums and literals too: any other text must not be kept.
      const text = `S${randomBytes(12).toString('hex')}`;
      leaves.push({ path, text });
      return text;
    }
  }
}

describe('an entry of the audit log', () => {
  test('holds no text of a field that is not a label', () => {
    let tried = 0;
    const kept = new Set<string>();
    for (const [name, schema] of schemas) {
      for (let run = 0; run < runs; run += 1) {
        const leaves: Leaf[] = [];
        const entry = JSON.stringify(describeFields(schema, fill(schema, '', leaves)));
        tried += leaves.length;
        for (const { path, text } of leaves) if (entry.includes(text)) kept.add(`${name} ${path}`);
      }
    }

    expect(tried).toBeGreaterThan(5000);
    expect([...kept].filter((field) => secretName.test(field.split(' ').at(-1) ?? ''))).toEqual([]);
    // Names, titles, accounts, IDs, paths of pages and dictionary values.
    const plain =
      /(?:^|[._])(?:id|ids|cid|name|title|account|category|type_key|value|new_value|group|module|page|tag|grants|from|to|created_from|created_before|redirect_uris?|scope|resource)$/;
    expect([...kept].filter((field) => !plain.test(field.split(' ').at(-1) ?? ''))).toEqual([]);
    expect(kept).toContain('/adminapi/system/admin/add account');
  });

  test('holds nothing of a secret setting, not even its length', () => {
    const groups = manifest.modules.flatMap((found) => found.manifest.configs ?? []);
    const secrets = groups.flatMap((group) =>
      Object.entries(group.keys).flatMap(([key, { secret }]) => (secret ? [[group, key] as const] : [])),
    );

    expect(secrets.length).toBeGreaterThan(5);
    for (const [group, key] of secrets) {
      const values = { [key]: randomBytes(12).toString('hex') };
      expect(describeFields(createSaveSchema(group, values), values)).toEqual({});
      expect(describeFields(createSaveSchema(group, values), { [key]: '******' })).toEqual({});
    }
  });

  test('holds nothing of a field whose name says that it is secret', () => {
    const wanted = /(?:password|captcha_token|ticket|payload)$/;
    for (const [name, schema] of schemas) {
      const leaves: Leaf[] = [];
      const fields = describeFields(schema, fill(schema, '', leaves));
      const names = Object.keys(fields).filter((field) => wanted.test(field));
      expect([name, ...names]).toEqual([name]);
    }
  });
});
