import type { Plugin } from 'vite';

const attribute = '"aria-checked": __props.indeterminate ? "mixed" : void 0,';

/**
 * Takes `aria-checked` from the label of Element Plus's checkboxes: a label may not have it, and the input inside says
 * itself that it is half-chosen.
 */
export function checkboxState(): Plugin {
  return {
    name: 'checkbox-state',
    apply: 'build',
    transform: {
      filter: { id: /element-plus\/es\/components\/checkbox\/src\/checkbox\.vue_/ },
      handler(code) {
        if (!code.includes(attribute)) this.error('The checkbox of Element Plus has changed');
        return { code: code.replace(attribute, ''), map: null };
      },
    },
  };
}
