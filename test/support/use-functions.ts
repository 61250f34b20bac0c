import { closeHour } from '#modules/System/audit/counts.ts';
import type { StoredEntry } from '#shared/audit/entry.ts';
import { auditPartition } from '#shared/audit/new-entry.ts';
import { verifyAuditItem } from '#shared/audit/stored-entries.ts';
import { queryPartition } from '#shared/db/items.ts';
import { type Access, useAccess } from './access.ts';
import { type Client, createClient, type RawAnswer, type SentRequest } from './client.ts';
import { type Functions, type FunctionsOptions, startFunctions } from './functions.ts';
import { useRunning } from './use-running.ts';

/** The functions that a test file uses, in its process, and their clients. */
export interface UsedFunctions extends Access {
  functions: Functions;
}

/** @param options may need what is started before them */
export function useFunctions(options: FunctionsOptions & { login?: boolean } = {}): UsedFunctions {
  const functions = useRunning(() => startFunctions(options));
  return { functions, ...useAccess(createClient(sendInto(functions)), () => options.login ?? true) };
}

const sendInto =
  (functions: Functions) =>
  async ({ path, ...request }: SentRequest): Promise<RawAnswer> => {
    const [bare = '', query] = path.split(/\?(.*)/s);
    const { status, headers, body } = await functions.call({ ...request, path: bare, query });
    return { status, headers: new Headers(headers), text: body.toString() };
  };

/** The entries of this month's audit log, each of which was verified. */
export async function readLog(): Promise<StoredEntry[]> {
  const items = await queryPartition(auditPartition(new Date().toISOString().slice(0, 7)));
  return items.map((item) => {
    const entry = verifyAuditItem(item);
    if (!entry) throw new Error(`the entry ${item.id} was changed, or invented`);
    return entry;
  });
}

/** What some work answers, and the entries that it left. */
export async function recordWork<Result>(work: () => Promise<Result>) {
  const before = new Set((await readLog()).map(({ id }) => id));
  const answer = await work();
  const entries = (await readLog()).filter(({ id }) => !before.has(id));
  return { answer, entries };
}

/** The answer of a request, and the entries that it left. */
export const recordOf = (client: Client, path: string, body: unknown) =>
  recordWork(() => client.post(path, body));

/** Closes this hour. @returns the entries that count what was refused again and again in it */
export const countRefusals = async (): Promise<StoredEntry[]> =>
  (await recordWork(() => closeHour(new Date().toISOString().slice(0, 13), Date.now()))).entries;
