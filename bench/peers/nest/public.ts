import { Controller, Get, Query } from '@nestjs/common';
import { readPublicDict } from '../jobs/read-dict.ts';
import { parse } from '../schemas/parse.ts';
import { typeKeys } from '../schemas/type-keys.ts';
import { serve, wrap } from './serve.ts';

@Controller('api/system/config')
class DictController {
  @Get('dict')
  async read(@Query('type') type?: string) {
    return wrap(await readPublicDict(parse(typeKeys, type)));
  }
}

export const handler = serve(DictController);
