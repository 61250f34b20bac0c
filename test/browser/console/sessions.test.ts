import { expect } from '@jest/globals';
import { browserTest } from '../chromium.ts';
import { findBarriersInBothLocales } from './find-barriers.ts';
import { useDesk } from './fixture.ts';
import { addHolder } from './holders.ts';
import { untilLoaded } from './log-in.ts';

const desk = useDesk();

browserTest('an administrator sees the own sessions, and ends the one of another device', async () => {
  const holder = await addHolder(desk, []);
  await desk.logIn(holder.account, holder.password);
  const path = 'system/account?tab=sessions';
  const { page } = await desk.open({ as: holder, path, viewport: { width: 390, height: 800 } });
  await untilLoaded(page);
  const row = page.getByRole('row').filter({ has: page.getByRole('button', { name: 'End' }) });
  const before = await row.count();
  await row.first().getByRole('button', { name: 'End' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End' }).click();
  await page.getByText('The session has ended').waitFor();
  await untilLoaded(page);

  expect(await row.count()).toBe(before - 1);
  expect(await page.getByText('This one').count()).toBe(1);
  expect(await findBarriersInBothLocales(page, 'sessions')).toEqual([]);
});
