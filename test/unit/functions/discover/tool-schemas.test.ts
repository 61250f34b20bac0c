import { beforeAll, describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { describeTools, writeInput } from '#functions/discover/describe-tools.ts';
import type { JsonSchema, ToolDescription } from '#shared/tools/mcp-tool.ts';
import { isShippedTool } from '../../../support/shipped-modules.ts';
import { discoverHere } from '../openapi/fixture.ts';

let tools: [name: string, description: ToolDescription][];
let writing: Set<string>;
beforeAll(async () => {
  const found = await discoverHere();
  tools = Object.entries(describeTools(found));
  writing = new Set(found.tools.flatMap(({ tool }) => (tool.access === 'write' ? [tool.name] : [])));
});

/** Every part of a schema, with its place. */
function* walk(value: unknown, place: string): Generator<[place: string, part: JsonSchema]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [place, { ...value }];
  for (const [key, below] of Object.entries(value)) yield* walk(below, `${place}.${key}`);
}

const kindsOf = (values: unknown) =>
  Array.isArray(values) ? new Set(values.map((value) => (value === null ? 'null' : typeof value))).size : 0;

describe('the schemas of tools', () => {
  test('have no enum of mixed kinds', () => {
    const parts = tools.flatMap(([name, { input_schema, output_schema, adapter }]) => [
      ...walk([input_schema, output_schema, adapter?.input_schema], name),
    ]);

    expect(parts.filter(([, { enum: values }]) => kindsOf(values) > 1)).toEqual([]);
    expect(parts.filter(([, { enum: values }]) => kindsOf(values) === 1)).not.toEqual([]);
  });

  test('say the same with one list of values for each kind', () => {
    const schema = z.strictObject({ cid: z.literal([0, '0', '', null]) });

    expect(writeInput(schema)).toMatchObject({
      properties: {
        cid: {
          anyOf: [
            { type: 'integer', enum: [0] },
            { type: 'string', enum: ['0'] },
            { type: 'string', pattern: '^$' },
            { type: 'null' },
          ],
        },
      },
    });
  });

  test('answer only the main fields of a record that was written', () => {
    // A rule for the shipped tools, which no check asks of others.
    const written = tools.filter(([name]) => writing.has(name) && isShippedTool(name));

    expect(written).not.toEqual([]);
    for (const [name, { output_schema }] of written) {
      const fields = Object.values(Object(output_schema?.properties)).map((field) => Object(field).type);
      expect([name, fields.length <= 6, fields.filter((type) => !/string|integer/.test(type))]).toEqual([
        name,
        true,
        [],
      ]);
    }
  });

  test('take numbers as numbers', () => {
    const limits = tools.flatMap(([, { input_schema }]) => Object(input_schema.properties).limit ?? []);

    expect(limits).not.toEqual([]);
    expect(limits.filter(({ type }) => type !== 'integer')).toEqual([]);
  });
});
