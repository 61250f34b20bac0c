/** Static configuration of the codes sent by SMS. */
export const smsConfig = {
  codeDigits: 6,
  /** Seconds a code is good for. */
  lifetimeSeconds: 300,
  /** The wrong try that ends a code. */
  wrongTries: 5,
  /** Codes a day for one mobile before a captcha has to be solved for each. */
  freeCodesPerDay: 3,
};
