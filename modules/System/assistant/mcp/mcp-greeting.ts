import type { Locale } from '#shared/i18n/locale.ts';
import { log } from '#shared/log/log.ts';
import type { LocalisedText } from '#shared/schema/component.ts';
import { quote, toPlainLine } from '#shared/schema/text.ts';
import { readSettings } from '#shared/settings/store.ts';
import type { McpSurface } from '#shared/tools/mcp-service.ts';
import { toPortableName } from '#shared/tools/tool-name.ts';
import { basics } from '../../site/settings.ts';

export const serverName = 'administration-backend';

const serverTitle: LocalisedText = { zh_CN: '管理后台', en: 'Administration backend' };
/** Longest title, in characters. */
const titleLength = 100;

/** The name of the site; undefined if it has none, or if it cannot be read: a title is no reason to refuse a request. */
export async function readSiteName(): Promise<string | undefined> {
  try {
    return (await readSettings(basics)).site_name || undefined;
  } catch (error) {
    log.warn('mcp.title_unread', { error });
    return undefined;
  }
}

/**
 * What a host shows first, and what a model reads before it chooses a tool.
 *
 * @param tools names of the tools that the client may use
 */
export function greet(
  siteName: string | undefined,
  tools: readonly string[],
  locale: Locale,
): Pick<McpSurface, 'server' | 'instructions'> {
  const title = siteName === undefined ? serverTitle[locale] : toPlainLine(siteName, titleLength);
  const lines = introduction.filter(({ needs = [] }) => needs.every((name) => tools.includes(name)));
  const first: LocalisedText = {
    zh_CN: `这是${quote(title)}的管理后台。你代表一位管理员操作，权限不超过该管理员。`,
    en: `This is the administration backend of ${quote(title)}. You act for one of its administrators, with at most the same rights.`,
  };
  const instructions = [first, ...lines].map((line) => line[locale]).join('\n');
  return { server: { name: serverName, title, version: '1.0.0' }, instructions };
}

/** The dictionary tools, which have the values that other tools take. */
const dictionaryTools = ['system.dict_types', 'system.dict_items'];
const [types, items] = dictionaryTools.map(toPortableName);

/** @property needs tools without which a line says nothing */
const introduction: (LocalisedText & { needs?: readonly string[] })[] = [
  {
    needs: dictionaryTools,
    zh_CN: `参数说明中写有字典的，可用值由 ${items} 列出（type_key 为该字典）；全部字典由 ${types} 列出。`,
    en: `If an argument takes a value of a dictionary, ${items} lists the values (type_key is the dictionary), and ${types} lists the dictionaries.`,
  },
  {
    zh_CN: 'ID 来自列表和查询工具的结果，不要猜测。',
    en: 'IDs come from the results of tools that list or find records: never guess one.',
  },
  {
    zh_CN:
      '列表的 next_cursor 不为 null 时还有下一页：用相同的参数加上 cursor 再次调用。带 page_no 的列表用下一个页码继续。',
    en: 'A list goes on while its next_cursor is not null: call again with the same arguments and that cursor. A list with page_no goes on with the next number.',
  },
  {
    zh_CN: '修改记录时要带上读到的 version；返回 version_conflict 表示记录已被修改，请重新读取。',
    en: 'To edit a record, send the version that you read. version_conflict means that it was changed since: read it again.',
  },
  { zh_CN: '时间为 UTC 的 ISO 8601 格式。', en: 'Times are in UTC, as ISO 8601.' },
  {
    zh_CN: '错误会指出参数，例如 arguments.limit；改正后再调用。',
    en: 'An error names the argument, such as arguments.limit: correct it and call again.',
  },
];
