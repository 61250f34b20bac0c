import { source } from 'axe-core';
import type { Locator, Page } from 'playwright-core';

const rules = {
  runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
  // Not yet among those that axe runs by itself: names that contain their label (WCAG 2.5.3).
  rules: { 'label-content-name-mismatch': { enabled: true }, 'target-size': { enabled: true } },
  resultTypes: ['violations'],
  // Frames of this console run no scripts, so nothing answers in them.
  iframes: false,
};
/** Attribute of the part of a page that is judged. */
const mark = 'data-judged';
const contrast = {
  runOnly: { type: 'rule', values: ['color-contrast'] },
  resultTypes: ['violations'],
  iframes: false,
};

interface Markable {
  setAttribute(name: string, value: string): void;
}

/**
 * What axe-core finds on a page in both themes, of the levels A and AA of WCAG 2.2: rule, element, reason. The themes
 * differ in colours only, and so do elements under the pointer: these are judged by their contrast.
 *
 * @param part of the page, if the rest was judged before. @default the whole page
 */
export async function findBarriers(page: Page, where: string, part?: Locator): Promise<string[]> {
  // The policy allows no inline script, but an evaluation.
  await page.evaluate(`globalThis.axe ?? (() => { ${source} })()`);
  await part?.evaluate((element: Markable, name) => element.setAttribute(name, ''), mark);
  const judge = (options: object) => run(page, options, part && `[${mark}]`);
  const found = [['', await judge(rules)]] as [string, string[]][];
  await switchTheme(page);
  found.push(['other theme', await judge(contrast)]);
  const release = await hoverAll(page, part && `[${mark}]`);
  found.push(['other theme, hovered', await judge(contrast)]);
  await switchTheme(page);
  found.push(['hovered', await judge(contrast)]);
  await release();
  return describe(where, found);
}

/** What axe-core finds on an English page in both locales, which an operator changes without a reload. */
export async function findBarriersInBothLocales(page: Page, where: string, part?: Locator) {
  const found = await findBarriers(page, where, part);
  await switchLocale(page);
  const judge = (options: object) => run(page, options, part && `[${mark}]`);
  const light = await judge(rules);
  await switchTheme(page);
  const dark = await judge(contrast);
  return [
    ...found,
    ...describe(where, [
      ['in Chinese', light],
      ['in Chinese, dark', dark],
    ]),
  ];
}

const describe = (where: string, found: readonly (readonly [string, string[]])[]) =>
  found.flatMap(([state, faults]) => faults.map((each) => [where, state, each].filter(Boolean).join(': ')));

/** Puts everything that can be pressed, and every row, under the pointer at once. @returns takes the pointer away */
async function hoverAll(page: Page, part = ''): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument');
  const selector = `${part} :is(a, button, tr, td, li, label, input, textarea, [role], [tabindex], .el-input__wrapper, .el-select__wrapper)`;
  const { nodeIds } = await session.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector });
  const forcedPseudoClasses = ['hover'];
  await Promise.all(
    nodeIds.map((nodeId) => session.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses })),
  );
  return () => session.detach();
}

/** As the button does, which a dialog covers. */
const switchTheme = (page: Page) => page.evaluate(`document.documentElement.classList.toggle('dark')`);

/** As the button does, which a dialog covers. It is out of the page meanwhile: a click in the page closes menus. */
const switchLocale = (page: Page) =>
  page.evaluate(`(() => {
    const button = document.querySelector('.appearance button');
    const place = document.createComment('');
    button.replaceWith(place);
    button.click();
    place.replaceWith(button);
  })()`);

async function run(page: Page, options: object, part?: string): Promise<string[]> {
  // What fades in, and changes its colour, is judged as it will be.
  await page.evaluate(`document.getAnimations()
    .filter(({ effect }) => Number.isFinite(effect.getComputedTiming().endTime))
    .forEach((animation) => animation.finish())`);
  return page.evaluate(
    `axe.run(${part ? `'${part}'` : 'document'}, ${JSON.stringify(options)}).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, any, all, none }) => [id, target.join(' '), [...any, ...all, ...none][0]?.message].join(' | '))))`,
  );
}
