import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { closeLog } from '#modules/System/audit/close-log.ts';
import { readMonth, storedLog } from '#modules/System/audit/stored-log.ts';
import type { Finding, Notice } from '#modules/System/audit/verify/findings.ts';
import { verifyMonth } from '#modules/System/audit/verify/verify.ts';
import { verifyEnd } from '#modules/System/audit/verify/verify-end.ts';
import { verifyAuditItem } from '#shared/audit/stored-entries.ts';
import { createCommand } from '../command.ts';
import { useEnvironment } from '../environment.ts';

const readMonthName = (text: string): string => {
  if (/^20\d\d-(0[1-9]|1[0-2])$/.test(text)) return text;
  throw new InvalidArgumentError('It takes a month, such as 2026-11.');
};

const month = () =>
  new Option('--month <MONTH>', 'a month in UTC, such as 2026-11')
    .argParser(readMonthName)
    .makeOptionMandatory();

/** Entries between two lines of progress. */
const progressStep = 1000;
const endOfLine = '\x1b[K';

export const auditExport = createCommand(
  'audit:export',
  'write the audit log of a month to standard output, one JSON object on each line',
)
  .addOption(month())
  .action(async ({ month }) => {
    useEnvironment();
    // It waits while the reader is busy, and fails if the reader has left.
    await pipeline(Readable.from(exportLines(month, process.stderr)), process.stdout, { end: false });
    // The process ends after the command, also with lines in the buffer.
    await new Promise((resolve) => process.stdout.write('', resolve));
  });

/** The entries of a month, each with `genuine`; an item that is no entry, or was changed, as it is stored. */
async function* exportLines(month: string, progress: NodeJS.WriteStream): AsyncGenerator<string> {
  const show = () => progress.write(progress.isTTY ? `\r${count} entries${endOfLine}` : `${count} entries\n`);
  let count = 0;
  for await (const item of readMonth(month)) {
    const entry = verifyAuditItem(item);
    yield `${JSON.stringify({ ...(entry ?? item), genuine: entry !== undefined })}\n`;
    count += 1;
    if (count % progressStep === 0) show();
  }
  show();
  if (progress.isTTY) progress.write('\n');
}

const missingKey = (key?: string): string =>
  `names a key that is unknown here, ${key}: it was forged, or APP_KEY or .data/secrets.json was changed or removed. Add the old key to APP_KEY, and check again`;

const describe: Record<Finding['kind'], (location: string, key?: string) => string> = {
  entry_changed: (id) => `the entry ${id} was changed, or invented`,
  entry_removed: (id) => `the entry ${id} was removed`,
  entry_inserted: (id) => `the entry ${id} was inserted, or changed before its digest was written`,
  entry_key_unknown: (id, key) => `the entry ${id} ${missingKey(key)}`,
  digest_key_unknown: (to, key) => `the digest that ends at ${to} ${missingKey(key)}`,
  digest_changed: (to) => `the digest that ends at ${to} was changed`,
  digest_removed: (to) => `the digest that ends at ${to} was removed`,
  digest_missing: (from) => `a digest is due and missing: nothing covers the time from ${from}`,
  begins_late: (from) =>
    `the first digest covers older entries, from ${from}: digests before it were never written, or removed`,
  count_changed: (key) => `the count ${key} was changed, invented, or set back`,
  count_removed: (key) => `the count ${key} was removed`,
  count_key_unknown: (count, key) => `the count ${count} ${missingKey(key)}`,
  end_changed: (to) => `the end of the chain was changed; outside of the table it is ${to}`,
  end_removed: (to) => `the end of the chain was removed; outside of the table it is ${to}`,
  end_reset: (to) => `the end of the chain was set back; outside of the table it is ${to}`,
  end_key_unknown: (to, key) => `the end of the chain, ${to}, ${missingKey(key)}`,
  anchor_changed: () => 'the end that is kept outside of the table was changed',
  anchor_missing: (to) => `no end is kept outside of the table, but the chain ends at ${to}`,
  anchor_key_unknown: (to, key) => `the end that is kept outside of the table, ${to}, ${missingKey(key)}`,
};

/** Most notices that are printed. */
const mostNotices = 20;

const hints: Record<Notice['kind'], (location: string) => string> = {
  entry_misdated: (id) =>
    `the entry ${id} is older than the digest that should have listed it; a later one lists it`,
  entry_unlisted: (id) => `the entry ${id} is genuine, and no digest of this month lists it`,
  digest_ahead: (to) => `the digest that ends at ${to} was dated ahead`,
};

/** A duration by its two largest units: `2 h`, `1 h 5 min`. */
function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ].filter(([amount]) => amount !== 0);
  return parts.length > 0
    ? parts
        .slice(0, 2)
        .map((part) => part.join(' '))
        .join(' ')
    : '0 s';
}

function printNotices(notices: readonly Notice[]): void {
  for (const { kind, location, byMs } of notices.slice(0, mostNotices))
    console.log(`Notice: ${hints[kind](location)}: a clock went back by ${formatDuration(byMs)}`);
  const rest = notices.length - mostNotices;
  if (rest > 0) console.log(`Notice: ${rest} more`);
}

export const auditVerify = createCommand(
  'audit:verify',
  'check the audit log of a month; the first change, removal or insertion is named',
)
  .addOption(month())
  .action(async ({ month }) => {
    useEnvironment();
    const { finding: own, notices, entries, digests, last } = await verifyMonth(month, storedLog);
    printNotices(notices);
    const finding = own ?? (await verifyEnd(storedLog));
    if (finding) throw new Error(`${month}: ${describe[finding.kind](finding.location, finding.key)}`);
    console.log(`${month}: ${entries} entries and ${digests} digests are as they were written`);
    if (last) console.log(`Covered until ${last.to}, hash of the last digest ${last.hash}`);
  });

export const auditDigest = createCommand(
  'audit:digest',
  'write a digest of the audit log until now; a job does this every hour',
).action(async () => {
  useEnvironment();
  const { digests } = await closeLog();
  for (const { to, number } of digests) console.log(`Digest until ${to}: ${number} entries`);
  if (digests.length === 0)
    console.log('Nothing to do: the log is empty, or another run is writing the digest');
});
