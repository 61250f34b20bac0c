import { h } from 'vue';
import { localise } from '#console/base/locale.ts';
import { confirm } from '#console/base/messages.ts';
import { describeValue } from './describe-value.ts';
import type { Change } from './draft.ts';
import { texts } from './texts.ts';

/** Shows what a save changes before it closes the site. @returns whether the operator agreed */
export async function closeSite(changes: readonly Change[]): Promise<boolean> {
  const lines = changes.map(({ field, before, after }) =>
    h('li', [
      `${localise(field.label)}: `,
      h('del', describeValue(field, before)),
      ' → ',
      h('strong', describeValue(field, after)),
    ]),
  );
  const title = localise(texts.close_title);
  const content = h('div', [h('p', localise(texts.close_hint)), h('ul', lines)]);
  return confirm(content, title);
}
