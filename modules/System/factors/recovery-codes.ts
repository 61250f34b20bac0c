import { randomInt } from 'node:crypto';
import { createRecordMac, isRecordMac } from '#shared/crypto/record-mac.ts';

const codeCount = 10;
/** Without letters that look like digits. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
/** Twelve characters are 60 random bits. */
const codeLength = 12;

/** Creates recovery codes. @returns the codes, which are shown once, and what is stored of them */
export function createRecoveryCodes(adminId: string): { codes: string[]; macs: string[] } {
  const plain = Array.from({ length: codeCount }, createCode);
  return {
    codes: plain.map((code) => code.match(/.{4}/g)?.join('-') ?? code),
    macs: plain.map((code) => createRecordMac('recovery_code', { adminId, code })),
  };
}

const createCode = (): string =>
  Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)]).join('');

/** The stored MAC of a recovery code; undefined if the code is wrong or was used. */
export function findRecoveryCode(adminId: string, text: string, macs: readonly string[]): string | undefined {
  const code = text.toLowerCase().replaceAll(/[^0-9a-z]/g, '');
  if (code.length !== codeLength) return undefined;
  return macs.find((mac) => isRecordMac('recovery_code', { adminId, code }, mac));
}
