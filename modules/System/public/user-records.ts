export { findUserByMobile, getUser, getUserDetail, getUserRecord } from '../users/find-user.ts';
export type { UserRecord } from '../users/user-record.ts';
