import { describe, expect } from '@jest/globals';
import { browserTest } from '../chromium.ts';
import { useDesk } from './fixture.ts';

// One's own account.

const desk = useDesk();

describe('an API token', () => {
  browserTest('is added in a form and shown once, until the operator has stored it', async () => {
    const { page } = await desk.open({ path: 'system/account' });
    await page.getByRole('button', { name: 'Add a token' }).click();
    const form = page.getByRole('dialog', { name: 'Add an API token' });
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('This is required').waitFor();
    await form.getByLabel('Name').fill('a program');
    await form.getByRole('button', { name: 'Save' }).click();

    const shown = page.getByRole('dialog', { name: 'Token' });
    const token = String(await shown.locator('code').textContent());
    await page.keyboard.press('Escape');
    await shown.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('row', { name: 'a program' }).waitFor();

    // The empty message is refused, the token is not.
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${desk.server.url}/mcp/service`, { method: 'POST', headers, body: '{}' });
    expect(answer.status).toBe(400);
    expect(await page.getByText(token).count()).toBe(0);
  });

  browserTest('is not added if the form is left', async () => {
    const { page } = await desk.open({ path: 'system/account' });
    await page.getByRole('button', { name: 'Add a token' }).click();
    const form = page.getByRole('dialog', { name: 'Add an API token' });
    await form.getByLabel('Name').fill('never');
    await form.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await form.waitFor({ state: 'hidden' });

    await page.getByRole('button', { name: 'Add a token' }).click();
    expect(await form.getByLabel('Name').inputValue()).toBe('');
    expect(JSON.stringify(await desk.call('system/admin/token/list'))).not.toContain('never');
  });
});
