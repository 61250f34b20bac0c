export { findUserByMobile, getUser, getUserDetail, getUserRecord } from '../users/find-user.ts';
export { maskMobile, publicUsers, type User, userProfiles } from '../users/profile.ts';
export { type UserRecord, userClaims, users } from '../users/user-record.ts';
