import { describe } from '@jest/globals';
import { useDatabase } from '../../support/database.ts';
import { describeAdministratorLists } from './administrator-lists.contract.ts';
import { describeAdministratorLogin } from './administrator-login.contract.ts';
import { describeAdministratorSessions } from './administrator-sessions.contract.ts';
import { describeAdministrators } from './administrators.contract.ts';
import { describeAuditCounts } from './audit-counts.contract.ts';
import { describeAuditLog } from './audit-log.contract.ts';
import { describeAuditWaiting } from './audit-waiting.contract.ts';
import { describeBatchReads } from './batch-reads.contract.ts';
import { describeCursors } from './cursors.contract.ts';
import { describeDictionaryCounts } from './dictionary-counts.contract.ts';
import { describeDictionaryImport } from './dictionary-import.contract.ts';
import { describeDictionaryItems } from './dictionary-items.contract.ts';
import { describeDictionaryLimit } from './dictionary-limit.contract.ts';
import { describeDictionaryReader } from './dictionary-reader.contract.ts';
import { describeDictionaryTypes } from './dictionary-types.contract.ts';
import { describeDictionaryValues } from './dictionary-values.contract.ts';
import { describeEntities } from './entities.contract.ts';
import { describeFailures } from './failures.contract.ts';
import { describeInstallation } from './installation.contract.ts';
import { describeJobs } from './jobs.contract.ts';
import { describeJoinedWrites } from './joined-writes.contract.ts';
import { describeLostAnswers } from './lost-answers.contract.ts';
import { describeMigration } from './migration.contract.ts';
import { describeQueries } from './queries.contract.ts';
import { describeRevisions } from './revisions.contract.ts';
import { describeSettings } from './settings.contract.ts';
import { describeSingleItems } from './single-items.contract.ts';
import { describeSingleUses } from './single-uses.contract.ts';
import { describeSpreadIndexes } from './spread-index.contract.ts';
import { describeStream } from './stream.contract.ts';
import { describeTransactions } from './transactions.contract.ts';
import { describeWrites } from './writes.contract.ts';

/** All operations of the service on a database: the same on every engine. */
export function describeDatabase(engine: 'dynoxide' | 'dynamodb-local'): void {
  useDatabase(engine);

  describe('items', () => {
    describeSingleItems();
    describeBatchReads();
    describeQueries();
    describeCursors();
    describeSpreadIndexes();
    describeTransactions();
    describeWrites();
    describeJoinedWrites();
    describeEntities();
    describeRevisions();
    describeSingleUses();
    describeFailures();
  });

  describe('dictionary', () => {
    describeInstallation();
    describeDictionaryTypes();
    describeDictionaryItems();
    describeDictionaryValues();
    describeDictionaryImport();
    describeDictionaryCounts();
    describeDictionaryReader();
  });

  describe('administrators', () => {
    describeAdministratorLogin();
    describeAdministratorSessions();
    describeAdministratorLists();
    describeAdministrators();
  });

  describeMigration();
  describeAuditLog();
  describeAuditWaiting();
  describeJobs();
  describeSettings();
  describe('audit log', describeAuditCounts);
  describeLostAnswers();
  describeDictionaryLimit();
  // Last, because it enables the table's stream.
  describe('stream', describeStream);
}
