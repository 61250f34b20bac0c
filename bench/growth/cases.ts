import { encodeCursor } from '../../shared/db/paging/cursor.ts';
import { createInvocation, type Invocation } from '../event.ts';
import { toFilePosition } from './items.ts';

/** A request whose reads are compared with few and with many items in the table. */
export interface GrowthCase {
  name: string;
  functionName: string;
  invocation: Invocation;
  /**
   * Most items that a request may evaluate, independent of the size of the table; by default, no more than with
   * few. `cached`: the whole is read, then served from the cache.
   */
  bound?: number | 'cached';
}

const call = '/adminapi/system/ai/mcp/call';
const tools = ['overview', 'user_count', 'ai_usage_stats', 'ai_settings', 'latest_articles'];

/** The tools that every channel calls. */
export const toolCases = (token: string): GrowthCase[] =>
  tools.map((tool) => ({
    name: `system.${tool}`,
    functionName: 'system-admin-ai-mcp-call',
    invocation: createInvocation(call, {}, token, JSON.stringify({ name: `system.${tool}`, arguments: {} })),
  }));

const list = '/adminapi/system/file/list';
/** How the list names itself and its filters to its cursors. */
const scope = `files ${JSON.stringify([null, null, null])}`;
/** Most files that a search reads in one request. */
const mostSearched = 1000;

/** Pages of the list of files, newest first. */
export function fileCases(token: string): GrowthCase[] {
  const cursor = encodeCursor(toFilePosition(20), scope) ?? '';
  const create = (name: string, query: Record<string, string>): GrowthCase => ({
    name,
    functionName: 'system-admin-file-list',
    invocation: createInvocation(list, query, token),
  });
  return [
    create('files, first page', {}),
    create('files, last page', { cursor }),
    { ...create('files, searched for in vain', { keyword: 'nothing' }), bound: mostSearched },
  ];
}

/** A case with a dictionary of its own. */
export const dictCase = (typeKey: string): GrowthCase => ({
  name: 'dictionary',
  functionName: 'system-api-config-dict',
  invocation: createInvocation('/api/system/config/dict', { type: typeKey }),
  bound: 'cached',
});
