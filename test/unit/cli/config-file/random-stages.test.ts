import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type ConfigFile, formatConfigFile, parseConfigFile } from '#cli/config-file/format.ts';
import { renderPlan } from '#cli/config-file/render.ts';
import { toContent } from '#cli/config-file/stage.ts';
import { applyTo, circumstances, content, createStage, isLeft, marker, planFor } from './stages.ts';

/** The records of a file, each with its content as text. */
function listRecords(file: ConfigFile): Map<string, string> {
  const { dictionaries, roles, settings } = JSON.parse(formatConfigFile(file));
  const records: [string, unknown][] = [];
  for (const { items, ...type } of dictionaries) {
    records.push([`dict_type:${type.type_key}`, type]);
    for (const item of items) records.push([`dict:${type.type_key}:${item.value}`, item]);
  }
  for (const role of roles) records.push([`role:${role.name}`, role]);
  for (const [group, values] of Object.entries(settings)) records.push([`config:${group}`, values]);
  return new Map(records.map(([name, value]) => [name, JSON.stringify(value)]));
}

test('makes 10,000 random stages equal to others, except for secrets and what it leaves; then does nothing', () => {
  let compared = 0;
  const run = fc.property(content, content, circumstances, fc.boolean(), (from, to, given, prune) => {
    const text = formatConfigFile(toContent(createStage(from)));
    const file = parseConfigFile(text);
    const stage = createStage(to, given);
    const plan = planFor(stage, file, prune, given);
    if (`${text}${renderPlan(plan)}`.includes(marker)) throw new Error('a secret is shown');

    for (const change of plan.changes) applyTo(stage, change);

    const [wanted, found] = [listRecords(file), listRecords(toContent(stage))];
    const compares = [...new Set([...wanted.keys(), ...found.keys()])].filter(
      (record) => !isLeft(plan.left, record),
    );
    compared += compares.length;
    const again = planFor(stage, file, prune, given);
    return (
      plan.faults.length === 0 &&
      compares.every((record) => wanted.get(record) === found.get(record)) &&
      isDeepStrictEqual(again, { changes: [], left: plan.left, faults: [] })
    );
  });

  fc.assert(run, { numRuns: 10_000 });

  expect(compared).toBeGreaterThan(10_000);
}, 600_000);

test('ends equal after an interruption at any change', () => {
  const run = fc.property(content, content, fc.nat(), (from, to, at) => {
    const file = parseConfigFile(formatConfigFile(toContent(createStage(from))));
    const stage = createStage(to);
    const { changes } = planFor(stage, file, true, { used: [], held: [] });
    for (const change of changes.slice(0, at % (changes.length + 1))) applyTo(stage, change);

    const rest = planFor(stage, file, true, { used: [], held: [] });
    for (const change of rest.changes) applyTo(stage, change);

    const done = at % (changes.length + 1);
    return (
      rest.changes.length === changes.length - done &&
      planFor(stage, file, true, { used: [], held: [] }).changes.length === 0
    );
  });
  fc.assert(run, { numRuns: 1_000 });
});
