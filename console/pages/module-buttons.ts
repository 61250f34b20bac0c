import { moduleButtons } from 'virtual:module-buttons';
import { defineAsyncComponent } from 'vue';
import type { ButtonDeclaration } from '../kit/button.ts';

const buttons = moduleButtons.map(({ load, ...button }) => ({
  ...button,
  component: defineAsyncComponent(load),
}));

/** The buttons that modules bring for a page, if the administrator may see them. */
export const findButtons = (
  path: string,
  slot: ButtonDeclaration['slot'],
  can: (permission: string) => boolean,
) =>
  buttons.filter(
    ({ page, slot: place, permission }) =>
      page === path && place === slot && (permission === undefined || can(permission)),
  );
