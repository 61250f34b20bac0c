import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import { useDatabase } from '../../../../../support/database.ts';
import { describeCommand } from './command.contract.ts';
import { describeMigrating } from './migrating.contract.ts';

useDatabase(findDynoxide() ? 'dynoxide' : 'dynamodb-local');

describeMigrating();
describeCommand();
