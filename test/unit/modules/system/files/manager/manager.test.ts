import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import { useDatabase } from '../../../../../support/database.ts';
import { describeCategories } from './categories.contract.ts';
import { describeDeleting } from './deleting.contract.ts';
import { describeListing } from './listing.contract.ts';
import { describeMoving } from './moving.contract.ts';

useDatabase(findDynoxide() ? 'dynoxide' : 'dynamodb-local');

describeListing();
describeMoving();
describeDeleting();
describeCategories();
