import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import { useDatabase } from '../../../../support/database.ts';
import { describeAccounts } from './accounts.contract.ts';
import { describeCounters } from './counters.contract.ts';
import { describeCreation } from './creation.contract.ts';
import { describeCredentials } from './credentials.contract.ts';
import { describeRegistration } from './registration.contract.ts';
import { describeSending } from './sending.contract.ts';
import { describeSmsCodes } from './sms-codes.contract.ts';
import { describeSmsLogin } from './sms-login.contract.ts';
import { describeWechatLogin } from './wechat-login.contract.ts';

useDatabase(findDynoxide() ? 'dynoxide' : 'dynamodb-local');

describeCreation();
describeCounters();
describeSmsCodes();
describeSending();
describeRegistration();
describeSmsLogin();
describeWechatLogin();
describeCredentials();
describeAccounts();
