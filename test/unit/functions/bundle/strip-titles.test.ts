import { describe, expect, test } from '@jest/globals';
import { leanSource } from '#functions/bundle/lean-schemas.ts';
import { parseSource } from '#functions/bundle/parse-source.ts';
import { bundle, bundleSource, writeSource } from './bundle-source.ts';

const importTitled = "import { titled } from '#shared/schema/titled.ts';\n";

describe('a function', () => {
  test('has no labels of its fields', async () => {
    const code = await bundle('modules/Article/Admin/article/add.ts');

    // Not the code itself: a failure would print it.
    expect(['title:', '标题', '封面'].map((text) => code.includes(text))).toEqual([true, false, false]);
  });

  test('has the schema in the place of the call', async () => {
    const code = await bundleSource(`${importTitled}
      export const a = titled({ zh_CN: '甲', en: 'A' }, JSON.parse('1'));
      export const b = titled(
        { zh_CN: '乙', en: 'B', options: { on: { zh_CN: '开', en: 'On' }, off: { zh_CN: '关', en: 'Off' } } },
        JSON.parse('2'),
      );
    `);

    expect(code).toMatch(/=JSON\.parse\("1"\),\w+=JSON\.parse\("2"\)/);
    expect(code).not.toMatch(/[甲乙开关]/);
  });

  test('is not built if a label is not an object literal', async () => {
    const source = `${importTitled} const label = { zh_CN: '甲', en: 'A' }; export const a = titled(label, 1);`;

    await expect(bundleSource(source)).rejects.toThrow(/schema\.ts: .*titled\(label, 1\)/);
  });

  test('has no label with a brace, a comment or another call in it', async () => {
    const code = await bundleSource(`${importTitled}
      export const a = titled({ zh_CN: '甲}', en: '}A {' /* }, */ }, JSON.parse('1'));
      export const b = titled({ zh_CN: '乙' + String(1), en: \`}\`, options: { a: { b: { c: { d: 1 } } } } }, JSON.parse('2'));
      export const c = titled({ zh_CN: '外', en: 'Outer' }, JSON.parse(titled({ zh_CN: '内', en: 'Inner' }, '3')));
    `);

    expect(code).toMatch(/=JSON\.parse\("1"\),\w+=JSON\.parse\("2"\),\w+=JSON\.parse\("3"\)/);
    expect(code).not.toMatch(/[甲乙外内]/);
  });

  test('has no label of a call by another name, and keeps texts that look like a call', async () => {
    const code = await bundleSource(`
      import { titled as named } from '#shared/schema/titled.ts';
      export const a = named({ zh_CN: '甲', en: 'A' }, JSON.parse('1'));
      export const b = "titled({ zh_CN: '乙' }, 1)";
    `);

    expect(code).not.toContain('甲');
    expect(code).toContain("titled({ zh_CN: '乙' }, 1)");
  });

  test('keeps the mark that lets an unused schema be dropped', async () => {
    const source = `${importTitled} export const a = 1;
      const unused = /* @__PURE__ */ titled({ zh_CN: '甲', en: 'A' }, /* @__PURE__ */ JSON.parse('"unused"'));`;

    expect(await bundleSource(source)).not.toContain('unused');
  });
});

test('the lines of a source stay in their places', () => {
  const call = "const a = titled(\n  { zh_CN: '甲',\n  en: 'A' },\n  z.string() as Text,\n);\ny;";
  const file = writeSource(`${importTitled}${call}`);

  expect(leanSource(parseSource(file), 'modules/Shop/schema.ts').split('\n')).toEqual([
    importTitled.trim(),
    'const a = (/* @__PURE__ */ (titled(',
    '  ',
    '',
    'z.string() as Text,',
    ')));',
    'y;',
  ]);
});
