import { describe, expect, test } from '@jest/globals';
import type { ConfigFile } from '#cli/config-file/format.ts';
import { type Circumstances, createStage, marker, planFor } from './stages.ts';

const nothing: Circumstances = { used: [], held: [] };
const empty: ConfigFile = { format: 1, dictionaries: [], roles: [], settings: {}, secrets: [] };
const clean = (given: Partial<ConfigFile>): Omit<ConfigFile, 'format'> => ({ ...empty, ...given });

describe('planConfig', () => {
  const role = (name: string, grants: string[]) => ({ name, remark: '', grants });

  test('refuses grants that nothing needs, also if the role has others', () => {
    const stage = createStage(clean({ roles: [role('editor', ['shop:read'])] }));

    const { faults } = planFor(
      stage,
      { ...empty, roles: [role('editor', ['shop:read', 'shpo:read'])] },
      false,
      nothing,
    );

    expect(faults).toEqual([{ record: 'role:editor', reason: expect.stringMatching(/^shpo:read: /) }]);
  });

  test('leaves a grant that the stage has as it is, although nothing needs it', () => {
    const roles = [role('editor', ['gone:read'])];

    const plan = planFor(createStage(clean({ roles })), { ...empty, roles }, false, nothing);

    expect(plan).toEqual({ changes: [], left: [], faults: [] });
  });

  test('refuses a role whose name the stage has twice', () => {
    const stage = createStage(clean({ roles: [role('editor', []), role('editor', [])] }));

    const { faults } = planFor(stage, { ...empty, roles: [role('editor', [])] }, false, nothing);

    expect(faults).toMatchObject([{ record: 'role:editor' }]);
  });

  test('leaves a group whose endpoint would change beside a secret, and names the secrets that are missing', () => {
    const settings = { mail: { host: 'b', sender: 'b' } };
    const file = { ...empty, settings, secrets: ['mail.password'] };
    const withSecret = createStage(clean({ settings: { mail: { host: 'a' } }, secrets: ['mail.password'] }));
    const without = createStage(clean({ settings: { mail: { host: 'a' } } }));

    const kept = planFor(withSecret, file, false, nothing);
    const changed = planFor(without, file, false, nothing);

    expect(kept).toMatchObject({
      changes: [],
      left: [{ record: 'config:mail', reason: expect.stringMatching(/^mail.host is an endpoint/) }],
    });
    expect(changed.changes).toMatchObject([{ record: 'config:mail', now: { host: 'b', sender: 'b' } }]);
    expect(changed.left).toMatchObject([{ reason: expect.stringMatching(/lacks the secret mail.password/) }]);
  });

  test('refuses unknown settings, wrong values and secrets, without their values', () => {
    const settings = { mail: { password: marker, nope: marker }, page: { size: marker } };

    const { faults } = planFor(createStage(clean({})), { ...empty, settings }, false, nothing);

    expect(faults.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^mail.password is a secret/),
      expect.stringMatching(/^mail.nope: there is no such setting/),
      expect.stringMatching(/^page.size: /),
    ]);
    expect(JSON.stringify(faults)).not.toContain(marker);
  });

  test('removes first if a type has no room for both', () => {
    const items = (prefix: string) =>
      Array.from({ length: 6_000 }, (_, index) => ({
        ...{ value: `${prefix}${index}`, name: 'a', sort: 0, status: 'enabled' as const, remark: '' },
      }));
    const type = { type_key: 'colour', name: 'a', enabled: true, public: true, remark: '' };
    const stage = createStage(clean({ dictionaries: [{ ...type, items: items('old') }] }));
    const file = { ...empty, dictionaries: [{ ...type, items: items('new') }] };

    const pruned = planFor(stage, file, true, nothing);
    const merged = planFor(stage, file, false, nothing);

    expect(pruned.changes[0]).toMatchObject({ record: 'dict:colour:old0', now: undefined });
    expect(merged.faults).toEqual([
      { record: 'dict_type:colour', reason: 'it would have more than 10000 items' },
    ]);
  });
});
