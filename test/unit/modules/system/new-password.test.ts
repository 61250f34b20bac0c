import { describe, expect, test } from '@jest/globals';
import { dictionary } from '@zxcvbn-ts/language-common';
import fc from 'fast-check';
import { assertNewPassword, findPasswordFault } from '#modules/System/public/new-password.ts';

const common = dictionary['passwords-common'];
const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz');
/** Digits, punctuation and spaces. */
const noLetters = fc.string({ unit: fc.constantFrom(...'0123456789!@#$%^&*()-_=+., '), maxLength: 8 });
const changeCase = (text: string) =>
  fc
    .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
    .map((upper) => [...text].map((each, at) => (upper[at] ? each.toUpperCase() : each)).join(''));

describe('a new password', () => {
  test.each([
    ['password', 'rule.password_common'],
    ['Password1', 'rule.password_common'],
    ['QWERTYUIOP', 'rule.password_common'],
    [' iloveyou ', 'rule.password_common'],
    // Hashes treat these characters as the letters of `password`.
    ['ｐａｓｓｗｏｒｄ', 'rule.password_common'],
    ['aaaaaaaa', 'rule.password_repeated'],
    ['AAAAaaaa', 'rule.password_repeated'],
    ['        ', 'rule.password_repeated'],
    ['12121212', 'rule.password_repeated'],
    ['123123123', 'rule.password_repeated'],
    ['abcabcab', 'rule.password_repeated'],
    ['密码密码密码密码', 'rule.password_repeated'],
    ['root.admin', 'rule.password_name'],
    ['ROOT.Admin!', 'rule.password_name'],
    ['2026root.admin2026', 'rule.password_name'],
    ['(root.admin)', 'rule.password_name'],
    ['root.adminroot.admin1', 'rule.password_name'],
  ])('is refused as %j', async (password, message) => {
    expect(await findPasswordFault(password, 'root.admin')).toBe(message);
  });

  test.each(['zhang2', 'zhang', 'zhang.'])('may not be the account %s with other digits', async (account) => {
    expect(await findPasswordFault('Zhang1999!', account)).toBe('rule.password_name');
  });

  test.each(['13812345678', '13812345678!', '+8613812345678', '1-13812345678-1'])(
    'may not be the mobile number: %s',
    async (password) => {
      expect(await findPasswordFault(password, '13812345678')).toBe('rule.password_name');
    },
  );

  test.each([
    ['correct horse battery', 'root'],
    ['root of all evil', 'root'],
    ['tomato-and-tom', 'tom'],
    ['aaaaaaab', 'root'],
    ['12121213', 'root'],
    ['k3-84739201', 'k2'],
    ['94710385562', '13812345678'],
    ['94710385562', undefined],
    ['另一个很长的密码', 'root'],
  ])('may be %j for %s', async (password, name) => {
    expect(await findPasswordFault(password, name)).toBeUndefined();
  });

  test('may be no common one, in any case', async () => {
    const word = fc.constantFrom(...common).chain(changeCase);
    await fc.assert(
      fc.asyncProperty(word, async (password) => {
        expect(await findPasswordFault(password)).toMatch(/^rule\.password_(common|repeated)$/);
      }),
    );
  });

  test('may be no unit again and again, also of letters that are folded by their neighbours', async () => {
    expect(await findPasswordFault('aΣ'.repeat(4))).toBe('rule.password_repeated');
    const unit = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(unit, fc.integer({ min: 2, max: 9 }), async (text, count) => {
        expect(await findPasswordFault(text.repeat(count))).toBe('rule.password_repeated');
      }),
    );
  });

  test('may not be the account with digits and punctuation around it, in any case', async () => {
    const account = fc
      .tuple(letter, fc.string({ unit: fc.constantFrom(...'abcxyz019._-'), minLength: 2, maxLength: 31 }))
      .map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(account, noLetters, noLetters, async (name, before, after) => {
        const [password = ''] = fc.sample(changeCase(before + name + after), 1);
        expect(await findPasswordFault(password, name)).toMatch(/^rule\.password_(name|repeated)$/);
      }),
    );
  });

  test('is refused at its place in the body', async () => {
    await expect(assertNewPassword('password1', 'root')).rejects.toMatchObject({
      code: 'request.invalid',
      status: 422,
      errors: [{ path: 'body.password', message: 'rule.password_common' }],
    });
    await expect(assertNewPassword('correct horse battery', 'root')).resolves.toBeUndefined();
  });
});
