export {
  avatar,
  mobile,
  nickname,
  password,
  smsCode,
  status,
  userData,
  userDetail,
  userId,
} from '../users/schema.ts';
