export {
  avatar,
  mobile,
  nickname,
  password,
  smsCode,
  status,
  userData,
  userDetail,
} from '../users/schema.ts';
