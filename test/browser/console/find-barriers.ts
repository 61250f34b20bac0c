import { source } from 'axe-core';
import type { Page } from 'playwright-core';

const rules = {
  runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
  // Not yet among those that axe runs by itself: names that contain their label (WCAG 2.5.3).
  rules: { 'label-content-name-mismatch': { enabled: true }, 'target-size': { enabled: true } },
  resultTypes: ['violations'],
};
const contrast = { runOnly: { type: 'rule', values: ['color-contrast'] }, resultTypes: ['violations'] };

/**
 * What axe-core finds on a page in both themes, of the levels A and AA of WCAG 2.2: rule, element, reason. The themes
 * differ in colours only, and so do elements under the pointer: these are judged by their contrast.
 */
export async function findBarriers(page: Page, where: string): Promise<string[]> {
  // The policy allows no inline script, but an evaluation.
  await page.evaluate(`globalThis.axe ?? (() => { ${source} })()`);
  const found = [['', await run(page, rules)]] as [string, string[]][];
  await switchTheme(page);
  found.push(['other theme', await run(page, contrast)]);
  const release = await hoverAll(page);
  found.push(['other theme, hovered', await run(page, contrast)]);
  await switchTheme(page);
  found.push(['hovered', await run(page, contrast)]);
  await release();
  return found.flatMap(([state, faults]) =>
    faults.map((each) => [where, state, each].filter(Boolean).join(': ')),
  );
}

/** Puts everything that can be pressed, and every row, under the pointer at once. @returns takes the pointer away */
async function hoverAll(page: Page): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument');
  const selector =
    'a, button, tr, td, li, label, input, textarea, [role], [tabindex], .el-input__wrapper, .el-select__wrapper';
  const { nodeIds } = await session.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector });
  for (const nodeId of nodeIds)
    await session.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses: ['hover'] });
  return () => session.detach();
}

/** As the button does, which a dialog covers. */
const switchTheme = (page: Page) => page.evaluate(`document.documentElement.classList.toggle('dark')`);

async function run(page: Page, options: object): Promise<string[]> {
  // What fades in is judged when it is there.
  await page.evaluate(`Promise.all(document.getAnimations()
    .filter(({ effect }) => Number.isFinite(effect.getComputedTiming().endTime))
    .map(({ finished }) => finished.catch(() => {})))`);
  return page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, any, all, none }) => [id, target.join(' '), [...any, ...all, ...none][0]?.message].join(' | '))))`,
  );
}
