import { ApiError } from '#console/base/api.ts';
import { localise } from '#console/base/locale.ts';

type Values = Record<string, unknown>;
type Send = (values: Values) => Promise<unknown>;

const texts = {
  none: {
    zh_CN: '没有保存任何修改，因为角色被拒绝：{message}',
    en: 'Nothing is saved, because the roles were refused: {message}',
  },
  half: {
    zh_CN: '角色已保存，其他修改没有保存：{message}',
    en: 'The roles are saved. The other changes are not: {message}',
  },
} as const;

/**
 * Saves a form that two routes take. The roles go first: they are refused more often, and then nothing is saved.
 *
 * @param values what the form sends, by its keys
 * @param record as it was read
 * @throws ApiError that says which half is saved
 */
export async function saveWithRoles(
  { id, role_ids, super: isSuper, ...others }: Values,
  record: unknown,
  { edit, setRoles }: { edit: Send; setRoles: Send },
): Promise<unknown> {
  const hasRoles = role_ids !== undefined || isSuper !== undefined;
  const hasOthers = Object.keys(others).length > 0;
  if (!hasRoles) return edit({ id, ...others });
  const rights = { id, role_ids: role_ids ?? Object(record).role_ids, super: isSuper };
  const data = await setRoles(rights).catch((error) => refuse(hasOthers, error, texts.none));
  return hasOthers ? edit({ id, ...others }).catch((error) => refuse(true, error, texts.half)) : data;
}

function refuse(isPart: boolean, error: unknown, text: (typeof texts)[keyof typeof texts]): never {
  if (!isPart || !(error instanceof ApiError)) throw error;
  const { code, errors, data, status, message } = error;
  throw new ApiError('', status, { code, errors: [...errors], data, message: localise(text, { message }) });
}
