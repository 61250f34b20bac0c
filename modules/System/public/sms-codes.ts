export { checkSmsCode, spendCode } from '../users/sms-codes.ts';
