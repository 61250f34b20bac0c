import { Controller, Get, Headers, Query } from '@nestjs/common';
import { readAdminDict } from '../jobs/read-dict.ts';
import { parse } from '../schemas/parse.ts';
import { typeKeys } from '../schemas/type-keys.ts';
import { serve, wrap } from './serve.ts';

@Controller('adminapi/system/config')
class DictController {
  @Get('dict')
  async read(@Headers('authorization') authorization?: string, @Query('type') type?: string) {
    return wrap(await readAdminDict(authorization, parse(typeKeys, type)));
  }
}

export const handler = serve(DictController);
