import { recordRef } from '#shared/records/fields/record-ref.ts';
import { publicUsers } from '../users/profile.ts';

/** A field with the ID of a user, who is shown by nickname. */
export const userRef = () =>
  recordRef({
    folder: 'user-center/user',
    key: publicUsers.key,
    labelOf: ({ nickname, sn }) => String(nickname || sn),
  });
