export { findUserByMobile, getUser, getUserDetail, getUserRecord } from '../users/find-user.ts';
export { type UserRecord, userClaims, users } from '../users/user-record.ts';
