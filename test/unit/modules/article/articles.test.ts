import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import articleModule from '#modules/Article/module.ts';
import { useDatabase } from '../../../support/database.ts';
import { describeCategories } from './categories.contract.ts';
import { describeConcurrency } from './concurrency.contract.ts';
import { describeContents } from './contents.contract.ts';
import { describeEdits } from './edits.contract.ts';
import { describeInterleavings } from './interleavings.contract.ts';
import { describeLatest } from './latest.contract.ts';
import { describeLists } from './lists.contract.ts';
import { describeRemoval } from './removal.contract.ts';

useDatabase(findDynoxide() ? 'dynoxide' : 'dynamodb-local', [articleModule]);

describeEdits();
describeContents();
describeCategories();
describeLists();
describeLatest();
describeInterleavings();
describeConcurrency();
describeRemoval();
