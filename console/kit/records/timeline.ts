import type { systemAdminAuditList } from '#build/console/api.ts';

/** An entry of the audit log. */
export type AuditEntry = Awaited<ReturnType<typeof systemAdminAuditList>>['data']['list'][number];

/** What a change has replaced, as `…/revisions` answers it. */
export interface Revision {
  id: string;
  at: string;
  by: { kind: string; id: string | null; account: string | null } | null;
  title: string | null;
  request_id: string | null;
  old: Record<string, unknown>;
  /** The values that were set; null for a deletion. */
  new: Record<string, unknown> | null;
}

/** One line of a record's history. */
export interface TimelineEvent {
  id: string;
  at: string;
  who: string | null;
  what: string | null;
  revision?: Revision;
  entry?: AuditEntry;
}

/**
 * The changes of a record with the entries about it, newest first. An entry whose change is kept is shown with it.
 *
 * @param reach the times that both lists are read down to; what is older may be incomplete
 */
export function mergeTimeline(
  revisions: readonly Revision[],
  entries: readonly AuditEntry[],
  reach: readonly string[] = [],
): TimelineEvent[] {
  const isOfChange = ({ outcome, request_id }: AuditEntry) =>
    outcome === 'ok' && revisions.some((each) => each.request_id === request_id);
  const events: TimelineEvent[] = [
    ...revisions.map((revision) => {
      const { id, at, by, title } = revision;
      return { id, at, who: by && (by.account ?? by.id), what: title, revision };
    }),
    ...entries.flatMap((entry) => {
      const { id, at, actor, title } = entry;
      return isOfChange(entry) ? [] : [{ id, at, who: actor.account ?? actor.id, what: title, entry }];
    }),
  ];
  return events
    .filter(({ at }) => reach.every((time) => at >= time))
    .sort((one, other) => Number(one.at < other.at) - Number(one.at > other.at));
}
