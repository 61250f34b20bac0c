import { source } from 'axe-core';
import type { Page } from 'playwright-core';

const rules = {
  runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] },
  resultTypes: ['violations'],
};

/**
 * What axe-core finds on a page in both themes, of the levels A and AA of WCAG 2.1: rule, element, reason. The themes
 * differ in colours only, so the second one is judged by its contrast.
 */
export async function findBarriers(page: Page, where: string): Promise<string[]> {
  // The policy allows no inline script, but an evaluation.
  await page.evaluate(`globalThis.axe ?? (() => { ${source} })()`);
  const found = await run(page, rules);
  await switchTheme(page);
  const inOtherTheme = await run(page, { ...rules, runOnly: { type: 'rule', values: ['color-contrast'] } });
  await switchTheme(page);
  return [...found, ...inOtherTheme.map((each) => `other theme: ${each}`)].map((each) => `${where}: ${each}`);
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
