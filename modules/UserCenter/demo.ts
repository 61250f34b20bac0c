import { addDemoFile, drawAvatar, removeDemoFiles } from '#modules/System/public/demo.ts';
import {
  createUser,
  createUserId,
  deleteUser,
  type OpenId,
  startSession,
  type Terminal,
  terminals,
} from '#modules/System/public/user-life.ts';
import { getUserRecord } from '#modules/System/public/user-records.ts';
import { endSession } from '#shared/auth/session.ts';
import { verifyToken } from '#shared/auth/token.ts';
import { createRandom, type DemoRun, type DemoThing, daysBefore, defineDemo } from '#shared/module/demo.ts';
import { editProfile, setUserStatus } from './users/edit-user.ts';

const count = 60;
const nicknames = [
  '小林',
  '安然',
  '阿海',
  '晴天',
  '木子',
  '云朵',
  '大山',
  '小满',
  '青禾',
  '一舟',
  '南风',
  '橘子',
  '子墨',
  '若水',
  'Anna',
  'Ben',
  'Chloe',
  'David',
  'Emma',
  'Felix',
  'Grace',
  'Henry',
  'Iris',
  'Jack',
  'Lily',
  'Max',
  'Nora',
];

/** A user of the demo. */
interface DemoUser {
  name: string;
  terminal: Terminal;
  mobile?: string;
  openId?: OpenId;
  nickname: string;
  /** Days before the first run. */
  createdAgo: number;
  lastSeenAgo: number;
  hour: number;
  hasAvatar: boolean;
  isDisabled: boolean;
}

function listUsers(): DemoUser[] {
  const random = createRandom(60);
  return Array.from({ length: count }, (_, index) => {
    const createdAgo = 1 + Math.floor((count - 1 - index) * 0.9 + random() * 3);
    const terminal = ([1, 1, 3, 2, 1, 3] as const)[index % 6] ?? terminals.h5;
    const app = terminal === terminals.officialAccount ? 'official' : 'mini';
    // No operator has the numbers of 142.
    const mobile = `142${String(Math.floor(random() * 1e8)).padStart(8, '0')}`;
    const isKnownByMobile = terminal === terminals.h5 || index % 3 === 0;
    return {
      name: `user ${index + 1}`,
      terminal,
      nickname: nicknames[(index * 7) % nicknames.length] ?? '',
      ...(isKnownByMobile && { mobile }),
      ...(terminal !== terminals.h5 && { openId: { app, openId: `demo_${index + 1}` } as const }),
      createdAgo,
      lastSeenAgo: Math.ceil(createdAgo * random() ** 2),
      hour: 8 + 13 * random(),
      hasAvatar: index % 2 === 0,
      isDisabled: index % 11 === 5,
    };
  });
}

/** Adds a user who came, set up a profile, came back later, and perhaps was disabled. */
async function addDemoUser(run: DemoRun, user: DemoUser, index: number): Promise<void> {
  const { name, terminal, mobile, openId, nickname, createdAgo, lastSeenAgo, hour } = user;
  const created = daysBefore(run, createdAgo, hour);
  const added = await run.add('users', name, () =>
    run.at(created, () => createUser({ id: createUserId(), terminal, mobile, openId })),
  );
  const id = String(added.id);
  const upload = { name: `avatar-${index + 1}.png`, type: 'image', module: 'user', tag: 'avatar' } as const;
  const avatar = user.hasAvatar
    ? await addDemoFile(run, { ...upload, moment: created, user: id, create: () => drawAvatar(index) })
    : undefined;
  if (!added.isNew) return;
  await editProfile(id, { nickname, avatar });
  await run.at(daysBefore(run, lastSeenAgo, hour + 0.5), async () => {
    const { token } = await startSession(await getUserRecord(id), { terminal });
    await endSession(verifyToken(token).sessionId);
  });
  if (user.isDisabled) await setUserStatus(id, 'disabled');
}

export default defineDemo({
  async fill(run) {
    for (const [index, user] of listUsers().entries()) await addDemoUser(run, user, index);
  },
  remove: {
    users: ({ id }: DemoThing) => deleteUser(String(id)),
    files: removeDemoFiles.files,
  },
});
