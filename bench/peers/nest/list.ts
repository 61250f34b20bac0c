import { Controller, Get, Headers, Query } from '@nestjs/common';
import { listFiles } from '../jobs/list-files.ts';
import { listQuery } from '../schemas/list-query.ts';
import { parse } from '../schemas/parse.ts';
import { serve, wrap } from './serve.ts';

@Controller('adminapi/system/file')
class FileController {
  @Get('list')
  async list(@Headers('authorization') authorization: string, @Query() query: Record<string, string>) {
    return wrap(await listFiles(authorization, parse(listQuery, query)));
  }
}

export const handler = serve(FileController);
