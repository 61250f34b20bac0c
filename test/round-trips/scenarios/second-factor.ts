import { TOTP } from 'otpauth';
import { createCaller, type Kit, newName, password } from '../kit.ts';
import type { RequestScenarios } from '../scenario.ts';

const base = '/adminapi/system/admin';
const factor = `${base}/factor`;
const loginBase = '/adminapi/system/login';

const setMode = ({ admin, ask }: Kit, two_factor: string) =>
  ask(admin.post('/adminapi/system/setting/config/save', { group: 'login', values: { two_factor } }));

/** The code of a moment. @param steps from now */
const codeOf = (secret: unknown, steps = 0): string =>
  new TOTP({ secret: String(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

async function addPerson(kit: Kit) {
  await setMode(kit, 'optional');
  const { admin, ask, guest } = kit;
  const account = newName();
  const { id } = await ask(admin.post(`${base}/add`, { account, name: 'Trial', password }));
  const logIn = () => ask(guest.post(`${loginBase}/account`, { account, password }));
  const own = createCaller(String((await logIn()).token));
  return { id, own, logIn };
}

/** An administrator whose factor was set up with the code of the step before. */
async function addGuarded(kit: Kit) {
  const person = await addPerson(kit);
  const { secret, setup } = await kit.ask(person.own.post(`${factor}/begin`, { password }));
  await kit.ask(person.own.post(`${factor}/confirm`, { setup, code: codeOf(secret, -1) }));
  return { ...person, code: codeOf(secret) };
}

/** The challenge of an administrator who has to set up a factor. */
async function challengeWithoutFactor(kit: Kit): Promise<string> {
  const { logIn } = await addPerson(kit);
  await setMode(kit, 'required');
  const { challenge } = await logIn();
  await setMode(kit, 'optional');
  return String(challenge);
}

/** The second factor of administrators. */
export const secondFactorScenarios: RequestScenarios = {
  'system-admin-login-second': async (kit) => {
    const { logIn, code } = await addGuarded(kit);
    const { challenge } = await logIn();
    return kit.guest.post(`${loginBase}/second`, { challenge, code });
  },
  'system-admin-login-setup': async (kit) =>
    kit.guest.post(`${loginBase}/setup`, { challenge: await challengeWithoutFactor(kit) }),
  'system-admin-login-confirm': async (kit) => {
    const challenge = await challengeWithoutFactor(kit);
    const { secret, setup } = await kit.ask(kit.guest.post(`${loginBase}/setup`, { challenge }));
    return kit.guest.post(`${loginBase}/confirm`, { challenge, setup, code: codeOf(secret) });
  },
  'system-admin-login-factor': async (kit) => {
    const { own, code } = await addGuarded(kit);
    return own.post(`${loginBase}/factor`, { code });
  },
  'system-admin-admin-factor-detail': ({ admin }) => admin.get(`${factor}/detail`),
  'system-admin-admin-factor-challenge': async (kit) =>
    (await addGuarded(kit)).own.get(`${factor}/challenge`),
  'system-admin-admin-factor-begin': async (kit) =>
    (await addPerson(kit)).own.post(`${factor}/begin`, { password }),
  'system-admin-admin-factor-confirm': async (kit) => {
    const { own } = await addPerson(kit);
    const { secret, setup } = await kit.ask(own.post(`${factor}/begin`, { password }));
    return own.post(`${factor}/confirm`, { setup, code: codeOf(secret) });
  },
  'system-admin-admin-factor-codes': async (kit) => {
    const { own, code } = await addGuarded(kit);
    return own.post(`${factor}/codes`, { password, code });
  },
  'system-admin-admin-factor-remove': async (kit) => {
    const { own, code } = await addGuarded(kit);
    return own.post(`${factor}/remove`, { password, code });
  },
  'system-admin-admin-factor-reset': async (kit) =>
    kit.admin.post(`${factor}/reset`, { id: (await addGuarded(kit)).id }),
};
